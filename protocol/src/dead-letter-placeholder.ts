/** The placeholder: the server's message at the number of a dead letter. @see SPEC.md#delivery */
import type { Envelope } from './envelope.ts'

/** `kind` of its data part. Its `seq` is the number of the dead letter. */
export const deadLetteredKind = 'message.dead_lettered'

/** Whether this is a placeholder. Only the server creates one; `server`: its DID. Check its signature as for any message. */
export function isDeadLetterPlaceholder(envelope: Pick<Envelope, 'sender_id' | 'seq' | 'parts'>, server: string): boolean {
  const { sender_id, seq, parts } = envelope
  if (sender_id !== server) return false
  return parts.some((part) => part.data?.kind === deadLetteredKind && part.data.seq === seq)
}
