/** How long after the posting the goal page may still open the wallet, in milliseconds. */
const validMs = 60_000

let requested: { readonly goalId: string; readonly until: number } | null = null

/** Has the page of the goal, which opens next, start the funding without another click. A reload forgets it. */
export function requestFundingOnArrival(goalId: string): void {
  requested = { goalId, until: Date.now() + validMs }
}

/** Whether the funding of this goal has been requested; once. */
export function takeFundingRequest(goalId: string): boolean {
  if (requested?.goalId !== goalId) return false
  const isValid = Date.now() < requested.until
  requested = null
  return isValid
}
