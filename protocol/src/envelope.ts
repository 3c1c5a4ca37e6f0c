/**
 * The envelope: one message, signed by its sender. Field names are IoA's where IoA has them.
 * Unknown fields are carried byte for byte and never read by authorisation, ranking or payment.
 * @see SPEC.md#envelope
 */
import { z } from 'zod'
import { canonicalBytes, canonicalize, isWithin, type Json, parseStrict, sha256 } from './canonical.ts'
import { Did } from './did.ts'
import { EnvelopeId, GroupId, TaskId } from './id.ts'
import { limits } from './limits.ts'
import { Part } from './part.ts'
import { Signature, type Signer, verifyBytes } from './signature.ts'
import { ConversationStateSchema } from './state.ts'
import { verifyVouched } from './vouch.ts'

/** The speech acts. What a receiver doesn't know it treats as `discussion`. */
export const speechActs = [
  'discussion',
  'propose',
  'vote',
  'sync_task_assignment',
  'async_task_assignment',
  'task_progress',
  'task_result',
  'pause',
  'conclude',
  'conclusion',
  'invite',
  'accept',
  'decline',
  'cancel',
  'error',
] as const
export type SpeechAct = (typeof speechActs)[number]

/** Acts that record a command which has taken effect. `message.post` may not use them: talk is never taken for the deed. @see SPEC.md#commands */
export const recordingActs: readonly SpeechAct[] = [
  'sync_task_assignment',
  'async_task_assignment',
  'task_progress',
  'task_result',
  'conclusion',
  'accept',
  'decline',
  'cancel',
]

/** Fields that the server sets and nobody signs. */
export const serverFields = ['seq', 'received_at'] as const

export const Envelope = z.looseObject({
  v: z.literal('1').describe('Version of this shape.'),
  id: EnvelopeId.describe('Chosen by the sender. Repeat it until acked; it gets the same `seq`.'),
  group_id: GroupId.describe('The room.'),
  sender_id: Did,
  state: ConversationStateSchema,
  type: z.string().max(64).describe('The speech act; anything unknown is read as `discussion`.'),
  seq: z.int().positive().optional().describe('Server: place in the room, gap-free from 1.'),
  received_at: z.iso.datetime().optional().describe('Server: RFC 3339, UTC.'),
  to: z.array(Did).max(64).optional().describe('Whom it addresses; left out: the room.'),
  next_speakers: z.array(Did).max(64).optional().describe('Who is asked to speak next.'),
  reply_to: EnvelopeId.optional(),
  causes: z.array(EnvelopeId).max(64).optional().describe('Messages that this one follows from.'),
  task_id: TaskId.optional(),
  parent_task_id: TaskId.optional(),
  task_desc: z.string().max(8_192).optional(),
  task_abstract: z.string().max(512).optional(),
  mode: z.enum(['sync', 'async']).optional().describe('`sync`: the room waits for the result. `async`: it goes on.'),
  triggers: z.array(TaskId).max(64).optional().describe('With `pause`: resume when all of these have ended.'),
  deadline: z.iso.datetime().optional(),
  expects: z.enum(['none', 'ack', 'reply', 'result']).optional(),
  parts: z.array(Part).max(64),
  trace: z
    .string()
    .regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .describe('W3C traceparent.'),
  policy: z.record(z.string(), z.json()).optional().describe('Purpose, region, retention: claims about the data inside.'),
  payment: z.record(z.string(), z.json()).optional().describe("Facts about money, set by the server's own messages only."),
  ext: z.record(z.string(), z.json()).optional().describe('Extensions by URI.'),
  crit: z.array(z.string().max(300)).max(16).optional().describe('Extensions the receiver must know; an unknown one is refused.'),
  sig: Signature.optional(),
})
export type Envelope = z.infer<typeof Envelope>

/** An envelope as the server delivers it. */
export type DeliveredEnvelope = Envelope & { seq: number; received_at: string; sig: Signature }

/** A draft: the sender's fields without what signing and the server add. */
export type EnvelopeDraft = {
  [field in keyof Envelope as string extends field
    ? never
    : field extends 'v' | 'seq' | 'received_at' | 'sig'
      ? never
      : field]: Envelope[field]
}

/** What an unknown extension in `crit` is compared with; this version knows none. */
export const knownExtensions: readonly string[] = []

/** Fail-open: an act this version doesn't know is a discussion. */
export function readSpeechAct(type: unknown): SpeechAct {
  return speechActs.find((act) => act === type) ?? 'discussion'
}

/** The bytes that the sender signs: everything but the server's fields and the signature itself. */
export function signedBytes(envelope: { [key: string]: unknown }): Uint8Array<ArrayBuffer> {
  const { seq: _seq, received_at: _receivedAt, sig: _sig, ...signed } = envelope
  return canonicalBytes(signed as Json)
}

/** Signs a draft with the sender's own key. */
export async function signEnvelope(signer: Signer, draft: EnvelopeDraft): Promise<Envelope> {
  const unsigned = { v: '1', ...draft } as const
  return Envelope.parse({ ...unsigned, sig: { alg: 'EdDSA', kid: signer.did, value: await signer.sign(signedBytes(unsigned)) } })
}

/** Signs on behalf of a sender that has no key of its own: `signer` is the server's. */
export async function vouchEnvelope(signer: Signer, draft: EnvelopeDraft): Promise<Envelope> {
  const unsigned = { v: '1', ...draft } as const
  return Envelope.parse({ ...unsigned, sig: { alg: 'session', kid: signer.did, value: await signer.sign(signedBytes(unsigned)) } })
}

/**
 * Whether the envelope's signature holds. `EdDSA` must be by the sender's `did:key`; `session` and the server's own
 * messages must be by `serverDid`.
 */
export async function verifyEnvelope(envelope: Envelope, serverDid: string, boundKey?: string): Promise<boolean> {
  if (!envelope.sig) return false
  const { alg, kid, value, path } = envelope.sig
  const expected = alg === 'session' ? serverDid : (boundKey ?? envelope.sender_id)
  if (kid !== expected) return false
  if (path === undefined) return verifyBytes(expected, signedBytes(envelope), value)
  return alg === 'session' && verifyVouched(expected, signedBytes(envelope), path, value)
}

const known = new Set(Object.keys(Envelope.shape))

/** Bytes of the fields that this version doesn't know, canonical. */
export function unknownBytes(envelope: { [key: string]: unknown }): number {
  const rest = Object.fromEntries(Object.entries(envelope).filter(([key]) => !known.has(key)))
  return Object.keys(rest).length === 0 ? 0 : new TextEncoder().encode(canonicalize(rest as Json)).length
}

export type EnvelopeFault = { code: 'request.malformed' | 'request.too_large' | 'request.unknown_critical'; detail: string }

/** Reads an envelope from what arrived. Size, depth, keys and shape are checked; the signature is not. */
export function readEnvelope(input: string | Json): { ok: true; envelope: Envelope } | { ok: false; fault: EnvelopeFault } {
  const refuse = (code: EnvelopeFault['code'], detail: string) => ({ ok: false as const, fault: { code, detail } })
  let text: string
  let value: Json
  try {
    text = typeof input === 'string' ? input : canonicalize(input)
    // No character takes more than three bytes for each of its UTF-16 units.
    if (text.length * 3 > limits.envelopeBytes && new TextEncoder().encode(text).length > limits.envelopeBytes)
      return refuse('request.too_large', `An envelope has at most ${limits.envelopeBytes} bytes. Send files as artifacts.`)
    // What was parsed already is only held against the bounds.
    value = typeof input === 'string' || !isWithin(input) ? parseStrict(text) : input
  } catch (error) {
    return refuse('request.malformed', error instanceof Error ? error.message : 'not JSON')
  }
  const parsed = Envelope.safeParse(value)
  if (!parsed.success) return refuse('request.malformed', z.prettifyError(parsed.error))
  if (unknownBytes(parsed.data) > limits.unknownBytes)
    return refuse('request.too_large', `The unknown fields have more than ${limits.unknownBytes} bytes together. Shorten or remove them.`)
  const critical = parsed.data.crit?.find((name) => !knownExtensions.includes(name))
  if (critical !== undefined)
    return refuse('request.unknown_critical', `The critical extension ${critical} is not supported. Remove it from crit.`)
  return { ok: true, envelope: parsed.data }
}

/** The chain hash before the first message of a room. */
export const transcriptStart = '0'.repeat(64)

/**
 * The room's hash chain: SHA-256 over the previous hash and this envelope as delivered, signature included and the
 * server's clock (`received_at`) left out. The hash at the conclusion is the `conclusion_hash` that the payment carries.
 */
export async function chainHash(previous: string, envelope: DeliveredEnvelope): Promise<string> {
  const { received_at: _receivedAt, ...chained } = envelope
  return sha256(canonicalBytes({ previous, envelope: chained as Json }))
}
