/** A histogram with logarithmic buckets, exact to two per cent. */
export type Histogram = {
  add(value: number): void
  /** The quantile at this share; 0 if there are no values. */
  at(share: number): number
  count(): number
}

const perDecade = 120
const min = 0.001
const buckets = perDecade * 10

export function createHistogram(): Histogram {
  const counts = new Float64Array(buckets)
  let count = 0
  return {
    add(value) {
      const bucket = value <= min ? 0 : Math.min(buckets - 1, Math.ceil(Math.log10(value / min) * perDecade))
      counts[bucket] = (counts[bucket] as number) + 1
      count++
    },
    at(share) {
      let below = 0
      for (let bucket = 0; bucket < buckets; bucket++) {
        below += counts[bucket] as number
        if (below >= share * count && count > 0) return min * 10 ** (bucket / perDecade)
      }
      return 0
    },
    count: () => count,
  }
}
