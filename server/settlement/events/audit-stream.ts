/** The subject of a hold's audit rows. Not the goal's own: whoever holds the hold's lock must never wait for the goal's. */
export function holdAuditStream(goalId: string): string {
  return `hold:${goalId}`
}

/** The subject of a channel's audit rows. */
export function channelAuditStream(id: string): string {
  return `channel:${id}`
}
