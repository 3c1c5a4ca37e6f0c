export type PostResult = { readonly room_id: string; readonly seq: number; readonly id: string }
/** The outcome of a post: sequenced, rejected, or not yet written because another transaction holds the room. */
export type PostOutcome = { readonly posted: PostResult } | { readonly rejected: Error } | 'busy'
/** A callback pair; exactly one of the two is called, once. */
export type Completion<T> = { resolve(value: T): void; reject(error: unknown): void }

/** Reports the outcome of a post to its caller, unless the room is busy. */
export function complete({ completion }: { readonly completion: Completion<PostResult> }, outcome: PostOutcome): 'busy' | 'done' {
  if (outcome === 'busy') return 'busy'
  if ('posted' in outcome) completion.resolve(outcome.posted)
  else completion.reject(outcome.rejected)
  return 'done'
}
