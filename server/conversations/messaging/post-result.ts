export type Said = { readonly group_id: string; readonly seq: number; readonly id: string }
/** What became of a post: it has its number, was refused, or its room was in somebody else's hands. */
export type Outcome = { readonly said: Said } | { readonly refused: Error } | 'busy'
/** Who waits for what it comes to: one of both is called, once. */
export type Ending<T> = { resolve(value: T): void; reject(error: unknown): void }

/** Tells who waits what came of a post; nothing yet where its room is busy. */
export function settle({ end }: { readonly end: Ending<Said> }, outcome: Outcome): 'busy' | 'done' {
  if (outcome === 'busy') return 'busy'
  if ('said' in outcome) end.resolve(outcome.said)
  else end.reject(outcome.refused)
  return 'done'
}
