/** When each piece of work was accepted and paid, and which of them a fault has affected. */
export type Progress = {
  /** Only the first time counts. */
  accept(id: string): void
  paid(id: string): void
  /** A fault has affected this one, so that its duration does not count. */
  concern(id: string | null | undefined): void
  isConcerned(id: string): boolean
  /** The server must pause until the returned function is called, because two nodes disagree. */
  standStill(): () => void
  /** How long the server had to pause between two times. Milliseconds. */
  pausedMs(from: number, to: number): number
  /**
   * Seconds from acceptance to payment of those without a fault, without the common pauses; `whole`: with them. Unpaid work counts up
   * to now.
   */
  delays(): { readonly id: string; readonly seconds: number; readonly whole: number }[]
}

export function createPaymentProgress(now: () => number = Date.now): Progress {
  const accepted = new Map<string, number>()
  const paid = new Map<string, number>()
  const concerned = new Set<string>()
  const still: { readonly from: number; to: number }[] = []
  const pausedMs = (from: number, to: number) =>
    still.reduce((sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)), 0)
  const delayOf = (id: string, from: number) => {
    const to = paid.get(id) ?? now()
    return { id, seconds: (to - from - pausedMs(from, to)) / 1_000, whole: (to - from) / 1_000 }
  }
  return {
    accept: (id) => void (accepted.has(id) || accepted.set(id, now())),
    paid: (id) => void (paid.has(id) || paid.set(id, now())),
    concern: (id) => void (id && concerned.add(id)),
    isConcerned: (id) => concerned.has(id),
    standStill() {
      const one = { from: now(), to: Number.POSITIVE_INFINITY }
      still.push(one)
      return () => {
        one.to = now()
      }
    },
    pausedMs,
    delays: () => [...accepted].filter(([id]) => !concerned.has(id)).map(([id, at]) => delayOf(id, at)),
  }
}
