/** What stands at the number of a message that the server can't deliver. @see SPEC.md#delivery */
import type { Envelope } from './envelope.ts'

/** `kind` of its data part, beside `seq`: the number that it stands at. */
export const quarantinedKind = 'message.quarantined'

/** Whether this is a placeholder. Only the server sets one; `server`: its DID. Check its signature like any message's. */
export function isPlaceholder(envelope: Pick<Envelope, 'sender_id' | 'seq' | 'parts'>, server: string): boolean {
  const { sender_id, seq, parts } = envelope
  if (sender_id !== server) return false
  return parts.some((part) => part.data?.kind === quarantinedKind && part.data.seq === seq)
}
