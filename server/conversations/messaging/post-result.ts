import type { Outcome, Said } from './sequence-messages.ts'

/** Who waits for what it comes to: one of both is called, once. */
export type Ending<T> = { resolve(value: T): void; reject(error: unknown): void }

/** Tells who waits what came of a post; nothing yet where its room is busy. */
export function settle({ end }: { readonly end: Ending<Said> }, outcome: Outcome): 'busy' | 'done' {
  if (outcome === 'busy') return 'busy'
  if ('said' in outcome) end.resolve(outcome.said)
  else end.reject(outcome.refused)
  return 'done'
}
