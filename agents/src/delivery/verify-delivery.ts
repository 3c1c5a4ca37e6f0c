import { type DeliveredEnvelope, Envelope, isPlaceholder } from '@parley/protocol'
import { messageQuarantined, messageUnreadable, type ProblemError, signatureInvalid } from '../errors.ts'
import { isGenuine } from '../messages/inbox-messages.ts'
import type { Delivered } from '../transport/transport.ts'

/** The message that came, or why it is passed by: it can't be read, its signature does not hold, or it stands for one that can't be delivered. */
export async function checkDelivered({ group_id, seq, value }: Delivered, server: string): Promise<DeliveredEnvelope | ProblemError> {
  const parsed = Envelope.safeParse(value)
  if (!parsed.success) return messageUnreadable(group_id, seq, parsed.error.issues[0]?.message ?? 'not an envelope')
  if (!(await isGenuine(parsed.data, server))) return signatureInvalid(group_id, seq)
  if (isPlaceholder(parsed.data, server)) return messageQuarantined(group_id, seq)
  // The place was read from the same value, and a genuine envelope has its signature.
  return parsed.data as DeliveredEnvelope
}
