/**
 * Load shedding: a process that holds too many bytes of incomplete requests ends the largest.
 */

/** Bounds the bytes that a process holds of requests and messages which are not complete: of one sender, and of all together. */
export type BufferLimits = {
  readonly maxBytes: number
  /** Of one sender, so that the rest of `heldBytes` is left to others. */
  readonly maxBytesPerSender: number
}

export const defaultBufferLimits: BufferLimits = { maxBytes: 134_217_728, maxBytesPerSender: 33_554_432 }

/** What is held of one request or message. */
export type BufferReservation = {
  /** Counts bytes, or gives them back with a negative number. False where this one is to end: its sender or all hold too much. */
  add(bytes: number): boolean
  /** Gives everything back. */
  close(): void
}
export type BufferBudget = {
  /** `who`: whose share it counts for; null where it has none. `end`: called where another one needs the room more. */
  open(who: string | null, end: () => void): BufferReservation
  readonly bytes: number
}

type HeldBytes = { bytes: number; readonly end: () => void }

/** Where all together is too much, the largest ends first: a small request always finds room. */
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

  /** False where `held` is the largest itself. */
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
