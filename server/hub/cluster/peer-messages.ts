import type { SerializedPostHead } from '../../conversations/index.ts'
import { DomainError } from '../../errors.ts'

/** What a hub says to another one. `post`: to be said in a room that is at home there; its answer names `n`. */
export type PeerRequest =
  | { readonly do: 'post'; readonly n: number; readonly post: SerializedPostHead }
  /** What is said in this room from now on is to be told, until it is left. */
  | { readonly do: 'follow' | 'leave'; readonly groupId: string }

/** What the other one answers. `spoken`: committed, with the messages from `first` on. `leaving`: nothing more is to be sent. */
export type PeerResponse =
  | { readonly do: 'said'; readonly n: number; readonly seq: number }
  | { readonly do: 'refused'; readonly n: number; readonly fault: ErrorPayload | null }
  | { readonly do: 'spoken'; readonly groupId: string; readonly first: number }
  | { readonly do: 'leaving' }

/** An expected failure as it goes by a link; anything else is a bug, and null. */
type ErrorPayload = Pick<DomainError, 'code' | 'facts'> & { readonly detail: string; readonly hint?: string }

export function toErrorPayload(error: unknown): ErrorPayload | null {
  if (!(error instanceof DomainError)) return null
  const { code, message, hint, facts } = error
  return { code, detail: message, facts, ...(hint !== undefined && { hint }) }
}

export function fromErrorPayload(fault: ErrorPayload | null): Error {
  if (!fault) return new Error('the hub that this room is at home at failed')
  const { code, detail, hint, facts } = fault
  return new DomainError(code, detail, { facts, ...(hint !== undefined && { hint }) })
}
