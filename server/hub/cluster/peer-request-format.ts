import type { SerializedPostHead } from '../../conversations/index.ts'
import { DomainError } from '../../errors.ts'

/** Requests to a peer. `post`: to write in a room that the peer owns; the answer repeats `n`. */
export type PeerRequest =
  | { readonly do: 'post'; readonly n: number; readonly post: SerializedPostHead }
  /** Request new messages of this room, until it is left. */
  | { readonly do: 'follow' | 'leave'; readonly roomId: string }

/** Messages of a peer. `spoken`: committed messages, starting at `first`. `leaving`: send no new posts. */
export type PeerResponse =
  | { readonly do: 'said'; readonly n: number; readonly seq: number }
  | { readonly do: 'refused'; readonly n: number; readonly fault: ErrorPayload | null }
  | { readonly do: 'spoken'; readonly roomId: string; readonly first: number }
  | { readonly do: 'leaving' }

/** An expected error between hubs; null for a bug. */
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
