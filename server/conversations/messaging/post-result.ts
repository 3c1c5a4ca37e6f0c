export type PostResult = { readonly group_id: string; readonly seq: number; readonly id: string }
/** What became of a post: it has its number, was refused, or its room was in somebody else's hands. */
export type PostOutcome = { readonly posted: PostResult } | { readonly rejected: Error } | 'busy'
/** Who waits for what it comes to: one of both is called, once. */
export type Completion<T> = { resolve(value: T): void; reject(error: unknown): void }

/** Tells who waits what came of a post; nothing yet where its room is busy. */
export function complete({ completion }: { readonly completion: Completion<PostResult> }, outcome: PostOutcome): 'busy' | 'done' {
  if (outcome === 'busy') return 'busy'
  if ('posted' in outcome) completion.resolve(outcome.posted)
  else completion.reject(outcome.rejected)
  return 'done'
}
