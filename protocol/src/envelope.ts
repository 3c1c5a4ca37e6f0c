/**
 * The envelope: one message, signed by its sender. Field names are IoA's where IoA has them.
 * `seq` is the total order of a room. The optional field `causes` states the causal ordering: the messages from which this one follows.
 * Unknown fields are preserved byte for byte and never used for authorization, ranking or payment.
 * @see SPEC.md#envelope
 */
import { z } from 'zod'
import { canonicalBytes, canonicalize, isWithin, type Json, parseStrict, sha256 } from './canonical.ts'
import { Did, hasOwnKey } from './did.ts'
import { EnvelopeId, RoomId, TaskId } from './id.ts'
import { limits } from './limits.ts'
import { Part } from './part.ts'
import { coversMessage, isPlainDiscussion, verifyDelegation } from './sign-and-verify-delegation.ts'
import { type Delegation, Signature, type Signer, verifyBytes } from './signature.ts'
import { signedBytes } from './signed-bytes.ts'
import { verifyMerkleSignature } from './verify-merkle-signature.ts'

/** The state of a conversation on the wire: any text of at most 64 characters. */
const ConversationStateSchema = z
  .string()
  .max(64)
  .describe('One of `discussion`, `task_assignment`, `execution`, `conclusion`. Anything else is read as `discussion`.')

/** Fields that the server sets. No signature covers them. */
export const serverFields = ['seq', 'received_at'] as const

/** One message of a room. The sender signs all fields except `seq`, `received_at` and `sig`. Unknown fields are kept. */
export const Envelope = z.looseObject({
  v: z.literal('1').describe('Version of the envelope.'),
  id: EnvelopeId.describe('Chosen by the sender. Repeat it until acked; the message gets the same `seq`.'),
  room_id: RoomId.describe('The room.'),
  sender_id: Did,
  state: ConversationStateSchema,
  type: z.string().max(64).describe('The speech act. An unknown one is read as `discussion`.'),
  seq: z.int().positive().optional().describe('Set by the server: the position in the room, from 1 without gaps.'),
  received_at: z.iso.datetime().optional().describe('Set by the server: RFC 3339, UTC.'),
  to: z.array(Did).max(64).optional().describe('The recipients. Omitted: the whole room.'),
  next_speakers: z.array(Did).max(64).optional().describe('The members that should post next.'),
  reply_to: EnvelopeId.optional(),
  causes: z.array(EnvelopeId).max(64).optional().describe('Ids of the messages that caused this one.'),
  task_id: TaskId.optional(),
  parent_task_id: TaskId.optional(),
  task_desc: z.string().max(8_192).optional(),
  task_abstract: z.string().max(512).optional(),
  mode: z.enum(['sync', 'async']).optional().describe('`sync`: the room waits for the result. `async`: the room continues.'),
  triggers: z.array(TaskId).max(64).optional().describe('With `pause`: the room continues when all of these tasks have ended.'),
  deadline: z.iso.datetime().optional(),
  expects: z.enum(['none', 'ack', 'reply', 'result']).optional(),
  parts: z.array(Part).max(64),
  traceparent: z
    .string()
    .regex(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .describe('W3C traceparent.'),
  policy: z.record(z.string(), z.json()).optional().describe('Purpose, region and retention: claims about the data in the message.'),
  payment: z.record(z.string(), z.json()).optional().describe('Facts about money. Only messages of the server have them.'),
  ext: z.record(z.string(), z.json()).optional().describe('Extensions by URI.'),
  crit: z
    .array(z.string().max(300))
    .max(16)
    .optional()
    .describe('URIs of extensions that the receiver must know. An unknown one is rejected.'),
  sig: Signature.optional(),
})
export type Envelope = z.infer<typeof Envelope>

/** An envelope as the server delivers it. */
export type DeliveredEnvelope = Envelope & { seq: number; received_at: string; sig: Signature }

/** A draft: the sender's fields before signing. */
export type EnvelopeDraft = {
  [field in keyof Envelope as string extends field
    ? never
    : field extends 'v' | 'seq' | 'received_at' | 'sig'
      ? never
      : field]: Envelope[field]
}

/** The known extensions, to check `crit`. This version has none. */
export const knownExtensions: readonly string[] = []

/** Signs a draft with the sender's own key. */
export async function signEnvelope(signer: Signer, draft: EnvelopeDraft): Promise<Envelope> {
  const unsigned = { v: '1', ...draft } as const
  return Envelope.parse({ ...unsigned, sig: { alg: 'EdDSA', kid: signer.did, value: await signer.sign(signedBytes(unsigned)) } })
}

/** Signs on behalf of a sender: `signer` is the server's. A sender that has a key must have given the `delegation`. */
export async function vouchEnvelope(signer: Signer, draft: EnvelopeDraft, delegation?: Delegation): Promise<Envelope> {
  const unsigned = { v: '1', ...draft } as const
  const sig = { alg: 'session', kid: signer.did, value: await signer.sign(signedBytes(unsigned)), ...(delegation && { delegation }) }
  return Envelope.parse({ ...unsigned, sig })
}

/**
 * Whether the envelope's signature is valid. `EdDSA` must be from the sender's `did:key`; `session` and the server's own
 * messages must be from `serverDid`. For a sender with a key, `session` is valid only under that sender's delegation.
 */
export async function verifyEnvelope(envelope: Envelope, serverDid: string, boundKey?: string): Promise<boolean> {
  if (!envelope.sig) return false
  const { alg, kid, value, path, delegation } = envelope.sig
  if (alg === 'EdDSA') {
    const expected = boundKey ?? envelope.sender_id
    return kid === expected && !path && !delegation && verifyBytes(expected, signedBytes(envelope), value)
  }
  if (kid !== serverDid || !(await mayBeVouched(envelope, serverDid, delegation))) return false
  return path === undefined
    ? verifyBytes(serverDid, signedBytes(envelope), value)
    : verifyMerkleSignature(serverDid, signedBytes(envelope), path, value)
}

/** Whether the server may sign this message for its sender. */
async function mayBeVouched(envelope: Envelope, server: string, delegation: Delegation | undefined): Promise<boolean> {
  if (!hasOwnKey(envelope.sender_id)) return delegation === undefined
  if (!delegation || !isPlainDiscussion(envelope) || !coversMessage(delegation, envelope)) return false
  return verifyDelegation({ agent: envelope.sender_id, server }, delegation)
}

const known = new Set(Object.keys(Envelope.shape))

/** Canonical bytes of the unknown fields. */
export function unknownBytes(envelope: { [key: string]: unknown }): number {
  const rest = Object.fromEntries(Object.entries(envelope).filter(([key]) => !known.has(key)))
  return Object.keys(rest).length === 0 ? 0 : new TextEncoder().encode(canonicalize(rest as Json)).length
}

/** Why a received envelope is refused: a problem code, and a sentence for its sender. */
export type EnvelopeFault = { code: 'request.malformed' | 'request.too_large' | 'request.unknown_critical'; detail: string }

/** Reads a received envelope. Checks size, depth, keys and shape, but not the signature. */
export function readEnvelope(input: string | Json): { ok: true; envelope: Envelope } | { ok: false; fault: EnvelopeFault } {
  const refuse = (code: EnvelopeFault['code'], detail: string) => ({ ok: false as const, fault: { code, detail } })
  let text: string
  let value: Json
  try {
    text = typeof input === 'string' ? input : canonicalize(input)
    // Each UTF-16 unit takes at most three bytes.
    if (text.length * 3 > limits.envelopeBytes && new TextEncoder().encode(text).length > limits.envelopeBytes)
      return refuse('request.too_large', `An envelope has at most ${limits.envelopeBytes} bytes. Send files as artifacts.`)
    // A parsed value needs only the bounds check.
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
 * The room's hash chain: SHA-256 over the previous hash and this envelope as delivered, with the signature and without the
 * server's clock (`received_at`). The hash at the conclusion is the `conclusion_hash` in the payment.
 */
export async function chainHash(previous: string, envelope: DeliveredEnvelope): Promise<string> {
  const { received_at: _receivedAt, ...chained } = envelope
  return sha256(canonicalBytes({ previous, envelope: chained as Json }))
}
