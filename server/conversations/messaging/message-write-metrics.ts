/** `upTo`: the inclusive upper bound of each bucket; the last bucket has no bound. */
export type Histogram = {
  readonly upTo: readonly number[]
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}
export type MessageWriteMetrics = {
  readonly optimistic: number
  readonly locked: number
  /** Messages per write. */
  readonly sizes: Histogram
  /** Seconds from the start of a write to its answer. */
  readonly seconds: Histogram
  /** Messages in the queue. */
  readonly queued: number
}

const sizes = [1, 4, 16, 64, 256, 512]
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export type MessageWriteMetricsRecorder = {
  record(path: 'optimistic' | 'locked', messages: number, ms: number): void
  read(queued: number): MessageWriteMetrics
}

export function createMessageWriteMetrics(): MessageWriteMetricsRecorder {
  const paths = { optimistic: 0, locked: 0 }
  const [bySize, byTime] = [createHistogram(sizes), createHistogram(seconds)]
  return {
    record(path, messages, ms) {
      paths[path]++
      bySize.add(messages)
      byTime.add(ms / 1_000)
    },
    read: (queued) => ({ ...paths, sizes: bySize.read(), seconds: byTime.read(), queued }),
  }
}

function createHistogram(upTo: readonly number[]): { add(value: number): void; read(): Histogram } {
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
