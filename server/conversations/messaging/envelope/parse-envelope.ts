import { canonicalBytes, type Envelope, type Json, limits, readEnvelope, type SpeechAct, uuidTime } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { type CanonicalEnvelope, envelopeAhead } from '../../../delivery/index.ts'
import { verifySignature } from '../../../identity/index.ts'
import { envelopeMalformed, envelopeTooLarge, messageContentRefused, senderMismatch } from '../../errors.ts'

export type ExpectedEnvelope = { roomId: string; sender: string; act: SpeechAct | null; taskId: string | undefined }

/** An envelope that the server signs has the same size limit as one that its sender signs. @throws request.too_large */
export function requireEnvelopeSize(envelope: Envelope): void {
  const bytes = canonicalBytes(envelope as Json).length
  if (bytes > limits.envelopeBytes) throw envelopeTooLarge(bytes)
}

/** True if the sender's own key made the signature. */
export async function isSignedBySender({ sig, sender_id }: Envelope, spelled: CanonicalEnvelope): Promise<boolean> {
  if (sig?.alg !== 'EdDSA' || sig.kid !== sender_id || sig.path !== undefined) return false
  return verifySignature(sender_id, spelled.signed, sig.value)
}

/** Parses the envelope of a sender and compares it with the command. Fields that only the server sets are removed. */
export function parseEnvelope(given: { [key: string]: unknown }, expected: ExpectedEnvelope): Envelope {
  const read = readEnvelope(given as Json)
  if (!read.ok) throw envelopeMalformed(read.fault.code, read.fault.detail)
  const { envelope } = read
  if (envelope.room_id !== expected.roomId) throw senderMismatch('room_id', expected.roomId, envelope.room_id)
  if (envelope.sender_id !== expected.sender) throw senderMismatch('sender_id', expected.sender, envelope.sender_id)
  if (expected.act !== null && envelope.type !== expected.act) throw senderMismatch('type', expected.act, envelope.type)
  if (expected.taskId !== undefined && envelope.task_id !== expected.taskId)
    throw senderMismatch('task_id', expected.taskId, envelope.task_id ?? 'missing')
  if (envelope.payment !== undefined) throw senderMismatch('payment', 'nothing', 'facts about money, which only the server states')
  const { seq: _seq, received_at: _receivedAt, ...sent } = envelope
  return sent as Envelope
}

/** Accepted clock skew of a sender. */
const maxClockSkewMs = 600_000

/** The archive sorts messages by the timestamp of their UUIDv7, so an id must not be in the future. @throws envelope.stale */
export function requireNotInFuture({ clock }: Pick<Context, 'clock'>, { id }: Pick<Envelope, 'id'>): void {
  if (uuidTime(id) > clock.now().getTime() + maxClockSkewMs) throw envelopeAhead(id)
}

export function assertSigned(envelope: Envelope): Envelope & { sig: NonNullable<Envelope['sig']> } {
  if (!envelope.sig) throw new Error('an unsigned envelope got past its check')
  return { ...envelope, sig: envelope.sig }
}

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
