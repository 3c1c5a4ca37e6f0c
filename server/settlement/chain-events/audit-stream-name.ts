/** Audit stream of a hold. It differs from the goal's stream, so that a holder of the hold's lock never waits for the goal's. */
export function holdAuditStreamName(goalId: string): string {
  return `hold:${goalId}`
}

/** Audit stream of a channel. */
export function channelAuditStreamName(id: string): string {
  return `channel:${id}`
}
