/** What the switchboard counts of its writes. `upTo`: the highest that a bucket takes; the last bucket takes the rest. */
export type Buckets = { readonly upTo: readonly number[]; readonly counts: readonly number[]; readonly sum: number; readonly count: number }
export type FlushFigures = {
  readonly atOnce: number
  readonly asked: number
  /** Messages in one write. */
  readonly sizes: Buckets
  /** Seconds from the taking of a write to its answer. */
  readonly seconds: Buckets
  /** Messages that wait for a write. */
  readonly queued: number
}

const sizes = [1, 4, 16, 64, 256, 512]
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export type FlushCount = { note(way: 'atOnce' | 'asked', messages: number, ms: number): void; read(queued: number): FlushFigures }

export function countFlushes(): FlushCount {
  const ways = { atOnce: 0, asked: 0 }
  const [bySize, byTime] = [createBuckets(sizes), createBuckets(seconds)]
  return {
    note(way, messages, ms) {
      ways[way]++
      bySize.add(messages)
      byTime.add(ms / 1_000)
    },
    read: (queued) => ({ ...ways, sizes: bySize.read(), seconds: byTime.read(), queued }),
  }
}

function createBuckets(upTo: readonly number[]): { add(value: number): void; read(): Buckets } {
  const counts = Array<number>(upTo.length + 1).fill(0)
  let [sum, count] = [0, 0]
  return {
    add(value) {
      const at = upTo.findIndex((bound) => value <= bound)
      const index = at < 0 ? upTo.length : at
      counts[index] = (counts[index] ?? 0) + 1
      sum += value
      count++
    },
    read: () => ({ upTo, counts: [...counts], sum, count }),
  }
}
