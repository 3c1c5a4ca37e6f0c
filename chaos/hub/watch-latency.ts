/** How long deliveries take while nothing is wrong. */
export type Pace = {
  /** For clients: messages sent and received, by envelope id. */
  readonly ears: { onPosted(id: string): void; onReceived(id: string): void }
  /** From now on it counts, until the next storm. */
  calm(): void
  storm(): void
  figures(): { readonly p50_ms: number | null; readonly p99_ms: number | null }
}

export function watchLatency(): Pace {
  const decidedAt = new Map<string, number>()
  const took: number[] = []
  let calmSince: number | null = null
  const at = (share: number) => {
    const sorted = [...took].sort((a, b) => a - b)
    const one = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    return one === undefined ? null : Number(one.toFixed(1))
  }
  return {
    ears: {
      onPosted(id) {
        if (calmSince !== null) decidedAt.set(id, performance.now())
      },
      onReceived(id) {
        const decided = decidedAt.get(id)
        // A message sent before a storm and received after it measures the storm.
        if (decided !== undefined && calmSince !== null && decided >= calmSince) took.push(performance.now() - decided)
      },
    },
    calm() {
      calmSince = performance.now()
    },
    storm() {
      calmSince = null
      decidedAt.clear()
    },
    figures: () => ({ p50_ms: at(0.5), p99_ms: at(0.99) }),
  }
}
