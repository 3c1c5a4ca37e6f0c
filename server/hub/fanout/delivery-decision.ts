/** What a reader gets of a committed batch: nothing new, the batch at once, or a read of the log. */
export type DeliveryDecision = 'skip' | 'push' | 'catch_up'

/**
 * A batch is pushed only to a reader that has all messages before it.
 * `after`: the last message that it received. `isCatchingUp`: it reads the log, which will include the batch.
 */
export function decideDelivery(after: number, isCatchingUp: boolean, first: number, last: number): DeliveryDecision {
  if (after >= last) return 'skip'
  return !isCatchingUp && after === first - 1 ? 'push' : 'catch_up'
}

/** Whether a signal that the room ends at `seq` is news; unknown heads may be. */
export function isNewHead(after: number, seq: number | undefined): boolean {
  return seq === undefined || after < seq
}
