/** The subject of a hold's audit rows. Not the goal's own: whoever holds the hold's lock must never wait for the goal's. */
export function holdChain(goalId: string): string {
  return `hold:${goalId}`
}

/** The subject of a channel's audit rows. */
export function channelChain(id: string): string {
  return `channel:${id}`
}
