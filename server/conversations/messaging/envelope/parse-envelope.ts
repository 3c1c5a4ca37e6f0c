import { type Envelope, type Json, readEnvelope, type SpeechAct } from '@parley/protocol'
import { envelopeMalformed, senderMismatch } from '../../errors.ts'

export type ExpectedEnvelope = { roomId: string; sender: string; act: SpeechAct | null; taskId: string | undefined }

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
