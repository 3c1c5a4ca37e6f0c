/** Load shedding: a process that buffers too many bytes of incomplete requests ends the largest. */

/** Limits the bytes of incomplete requests and messages, per sender and in total. */
export type BufferLimits = {
  readonly maxBytes: number
  /** Per sender, so that one sender cannot use the whole budget. */
  readonly maxBytesPerSender: number
}

export const defaultBufferLimits: BufferLimits = { maxBytes: 134_217_728, maxBytesPerSender: 33_554_432 }

/** The buffered bytes of one request or message. */
export type BufferReservation = {
  /**
   * Adds bytes; a negative number releases them. False if this request has to end, because its sender or the process is over the limit.
   */
  add(bytes: number): boolean
  /** Releases all bytes. */
  close(): void
}
export type BufferBudget = {
  /** `who`: the sender that the bytes count for; null if none. `end`: called to shed this request. */
  open(who: string | null, end: () => void): BufferReservation
  readonly bytes: number
}

type HeldBytes = { bytes: number; readonly end: () => void }

/** Above the total limit the largest request is shed first, so that a small request always fits. */
export function createBufferBudget({ maxBytes, maxBytesPerSender }: BufferLimits = defaultBufferLimits): BufferBudget {
  const open = new Set<HeldBytes>()
  const shares = new Map<string, number>()
  let total = 0

  function count(held: HeldBytes, who: string | null, bytes: number): number {
    held.bytes += bytes
    total += bytes
    if (who === null) return 0
    const share = (shares.get(who) ?? 0) + bytes
    if (share > 0) shares.set(who, share)
    else shares.delete(who)
    return share
  }

  /** False if `held` is the largest. */
  function makeRoom(held: HeldBytes): boolean {
    while (total > maxBytes) {
      let largest = held
      for (const one of open) if (one.bytes > largest.bytes) largest = one
      if (largest === held) return false
      open.delete(largest)
      largest.end()
    }
    return true
  }

  return {
    open(who, end) {
      const held: HeldBytes = { bytes: 0, end }
      open.add(held)
      return {
        add: (bytes) => count(held, who, bytes) <= maxBytesPerSender && (bytes <= 0 || makeRoom(held)),
        close() {
          open.delete(held)
          count(held, who, -held.bytes)
        },
      }
    },
    get bytes() {
      return total
    },
  }
}
