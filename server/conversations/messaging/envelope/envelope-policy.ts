/** Checks of an envelope: its size, signature, time and content. */
import { canonicalBytes, type Envelope, type Json, limits, uuidTime } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { type CanonicalEnvelope, envelopeAhead } from '../../../delivery/index.ts'
import { verifyDidKeySignature } from '../../../identity/index.ts'
import { envelopeTooLarge, messageContentRefused } from '../../errors.ts'

/** An envelope that the server signs has the same size limit as one that its sender signs. @throws request.too_large */
export function requireEnvelopeSize(envelope: Envelope): void {
  const bytes = canonicalBytes(envelope as Json).length
  if (bytes > limits.envelopeBytes) throw envelopeTooLarge(bytes)
}

/** True if the sender's own key made the signature. */
export async function isSignedBySender({ sig, sender_id }: Envelope, spelled: CanonicalEnvelope): Promise<boolean> {
  if (sig?.alg !== 'EdDSA' || sig.kid !== sender_id || sig.path !== undefined) return false
  return verifyDidKeySignature(sender_id, spelled.signed, sig.value)
}

/** Accepted clock skew of a sender. */
const maxClockSkewMs = 600_000

/** The archive sorts messages by the timestamp of their UUIDv7, so an id must not be in the future. @throws envelope.stale */
export function requireNotInFuture({ clock }: Pick<Context, 'clock'>, { id }: Pick<Envelope, 'id'>): void {
  if (uuidTime(id) > clock.now().getTime() + maxClockSkewMs) throw envelopeAhead(id)
}

/** Narrows the type. An unsigned envelope here is a bug. */
export function assertSigned(envelope: Envelope): Envelope & { sig: NonNullable<Envelope['sig']> } {
  if (!envelope.sig) throw new Error('an unsigned envelope got past its check')
  return { ...envelope, sig: envelope.sig }
}

/** Screens every text of a message, data and file names included. @throws content.refused */
export function screenMessage(
  tx: Context,
  envelope: Pick<Partial<Envelope>, 'task_desc' | 'task_abstract'> & Pick<Envelope, 'parts'>,
): void {
  const look = (text: string | undefined) => {
    const verdict = text === undefined ? null : tx.ports.screen.text(text)
    if (verdict?.answer === 'refuse') throw messageContentRefused(verdict.reason)
  }
  look(envelope.task_desc)
  look(envelope.task_abstract)
  for (const { text, data, artifact } of envelope.parts) {
    look(text)
    if (data !== undefined) look(JSON.stringify(data))
    look(artifact?.name)
  }
}
