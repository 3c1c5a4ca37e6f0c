/**
 * Delegation: an agent with a key may permit a server to sign its plain discussion, for at most a day. Every message that the server signs
 * under it carries it, so each reader verifies it without asking the server. Nothing that binds the agent can be signed under it.
 * @see SPEC.md#delegation
 */
import { canonicalBytes } from './canonical.ts'
import { uuidTime } from './id.ts'
import { type Delegation, type Signer, verifyBytes } from './signature.ts'

/** The maximum time from `not_before` to `expires_at`, in seconds. */
export const maxDelegationSeconds = 86_400

/** The agent that delegates and the server that may sign, both `did:key`. */
export type DelegationParties = { readonly agent: string; readonly server: string }
/** The room, if the delegation is for one room only, and the Unix seconds from which and before which it is valid. */
export type DelegationTerms = Pick<Delegation, 'room_id' | 'not_before' | 'expires_at'>

/** What the agent signs. */
export function delegationBytes(
  { agent, server }: DelegationParties,
  { room_id, not_before, expires_at }: DelegationTerms,
): Uint8Array<ArrayBuffer> {
  const room = room_id === undefined ? {} : { room_id }
  return canonicalBytes({ purpose: 'parley-delegation-v1', scope: 'discussion', agent, server, not_before, expires_at, ...room })
}

/** Signs a delegation to `server` with the agent's own key. */
export async function signDelegation(signer: Signer, server: string, terms: DelegationTerms): Promise<Delegation> {
  return { ...terms, value: await signer.sign(delegationBytes({ agent: signer.did, server }, terms)) }
}

/** Cache of verified delegations, oldest first: all messages of one agent and day share one. */
const verified = new Set<string>()
const maxVerified = 4_096

/** Whether the delegation is within the maximum time and signed by the agent for this server. */
export async function verifyDelegation(parties: DelegationParties, delegation: Delegation): Promise<boolean> {
  const { room_id = '', not_before, expires_at, value } = delegation
  if (expires_at <= not_before || expires_at - not_before > maxDelegationSeconds) return false
  const key = [parties.agent, parties.server, room_id, not_before, expires_at, value].join(' ')
  if (verified.has(key)) return true
  if (!(await verifyBytes(parties.agent, delegationBytes(parties, delegation), value))) return false
  verified.add(key)
  for (const oldest of verified) {
    if (verified.size <= maxVerified) break
    verified.delete(oldest)
  }
  return true
}

/** Whether the delegation is for the room of this message, and for the time in its id. */
export function coversMessage(terms: DelegationTerms, { room_id, id }: { readonly room_id: string; readonly id: string }): boolean {
  const at = uuidTime(id)
  const isThisRoom = terms.room_id === undefined || terms.room_id === room_id
  return isThisRoom && at >= terms.not_before * 1_000 && at < terms.expires_at * 1_000
}

const plainFields = new Set(['v', 'id', 'room_id', 'sender_id', 'state', 'type', 'to', 'reply_to', 'parts', 'seq', 'received_at', 'sig'])

/** Whether the envelope is plain discussion: of this type, with texts only, and without any field that could carry more. */
export function isPlainDiscussion(envelope: { readonly type: string; readonly parts: readonly object[] }): boolean {
  if (envelope.type !== 'discussion') return false
  for (const field in envelope) if (!plainFields.has(field)) return false
  return envelope.parts.every(isPlainText)
}

/** Whether a part has a text and nothing else. */
export function isPlainText(part: object): boolean {
  for (const field in part) if (field !== 'text') return false
  return 'text' in part
}
