/** What a reader gets of messages that were just committed: nothing new, the messages at once, or what the log has for it. */
export type DeliveryDecision = 'skip' | 'push' | 'catch_up'

/**
 * Live messages go only to who has everything before them. `after`: the last message the reader was given. `isReading`: it
 * is being read to from the log, which will come to these too.
 */
export function decideDelivery(after: number, isCatchingUp: boolean, first: number, last: number): DeliveryDecision {
  if (after >= last) return 'skip'
  return !isCatchingUp && after === first - 1 ? 'push' : 'catch_up'
}

/** Whether a signal that a group now ends at `seq` tells a reader anything; without a number it may. */
export function isNewHead(after: number, seq: number | undefined): boolean {
  return seq === undefined || after < seq
}
