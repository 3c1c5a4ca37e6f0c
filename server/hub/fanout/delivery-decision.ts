/** What a reader gets of messages that were just committed: nothing new, the messages at once, or what the log has for it. */
export type Way = 'has' | 'push' | 'read'

/**
 * Live messages go only to who has everything before them. `after`: the last message the reader was given. `isReading`: it
 * is being read to from the log, which will come to these too.
 */
export function wayTo(after: number, isReading: boolean, first: number, last: number): Way {
  if (after >= last) return 'has'
  return !isReading && after === first - 1 ? 'push' : 'read'
}

/** Whether a signal that a group now ends at `seq` tells a reader anything; without a number it may. */
export function isNews(after: number, seq: number | undefined): boolean {
  return seq === undefined || after < seq
}
