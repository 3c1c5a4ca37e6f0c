import { type DeliveredEnvelope, Envelope, isDeadLetterPlaceholder } from '@parley/protocol'
import { messageQuarantined, messageSignatureInvalid, messageUnreadable, type ProblemError } from '../errors.ts'
import { hasValidSignature } from '../messages/message-events.ts'
import type { DeliveredMessage } from '../transport/transport.ts'

/** The message, or why it is skipped: it is malformed, its signature is invalid, or it is a placeholder for a held message. */
export async function verifyDelivery(
  { room_id, seq, envelope }: DeliveredMessage,
  server: string,
): Promise<DeliveredEnvelope | ProblemError> {
  const parsed = Envelope.safeParse(envelope)
  if (!parsed.success) return messageUnreadable(room_id, seq, parsed.error.issues[0]?.message ?? 'not an envelope')
  if (!(await hasValidSignature(parsed.data, server))) return messageSignatureInvalid(room_id, seq)
  if (isDeadLetterPlaceholder(parsed.data, server)) return messageQuarantined(room_id, seq)
  // `seq` was read from this value, and a valid signature implies `sig`.
  return parsed.data as DeliveredEnvelope
}
