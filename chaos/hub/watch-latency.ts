/** How long deliveries take while nothing is wrong. */
export type LatencyWatch = {
  /** For clients: messages sent and received, by envelope id. */
  readonly clientEvents: { onPosted(id: string): void; onReceived(id: string): void }
  /** From now on deliveries count, until a fault. */
  startCounting(): void
  stopCounting(): void
  figures(): { readonly p50_ms: number | null; readonly p99_ms: number | null }
}

export function watchLatency(): LatencyWatch {
  const decidedAt = new Map<string, number>()
  const took: number[] = []
  let countingSince: number | null = null
  const at = (share: number) => {
    const sorted = [...took].sort((a, b) => a - b)
    const one = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
    return one === undefined ? null : Number(one.toFixed(1))
  }
  return {
    clientEvents: {
      onPosted(id) {
        if (countingSince !== null) decidedAt.set(id, performance.now())
      },
      onReceived(id) {
        const decided = decidedAt.get(id)
        // A message sent before a fault and received after it measures the fault.
        if (decided !== undefined && countingSince !== null && decided >= countingSince) took.push(performance.now() - decided)
      },
    },
    startCounting() {
      countingSince = performance.now()
    },
    stopCounting() {
      countingSince = null
      decidedAt.clear()
    },
    figures: () => ({ p50_ms: at(0.5), p99_ms: at(0.99) }),
  }
}
