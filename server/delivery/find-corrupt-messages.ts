import { type Envelope, jsonFault } from '@parley/protocol'
import { findHashMismatch } from './find-hash-mismatch.ts'
import type { PageBounds, StoredMessage } from './read-stored-messages.ts'

/**
 * Why a stored message is corrupt (a poison message), or null if it is sound.
 * The text must be an envelope of this room and sequence number, and must match the stored hashes. Readers verify the signature.
 * `previous`: the hash chain value of the message before it, if known.
 */
export function corruptionOf(message: StoredMessage, roomId: string, previous: string | null = null): string | null {
  const { seq, body } = message
  let envelope: unknown
  try {
    envelope = JSON.parse(body)
  } catch (error) {
    return `Its text is not JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}`
  }
  if (envelope === null || typeof envelope !== 'object' || Array.isArray(envelope)) return 'Its text is not an envelope.'
  const { seq: written, room_id } = envelope as Fields
  if (written !== seq || room_id !== roomId) return 'Its text has another room or sequence number.'
  const misshapen = findInvalidField(envelope as Fields)
  if (misshapen !== null) return `The ${misshapen} of its envelope is invalid.`
  const fault = jsonFault(envelope)
  if (fault !== null) return `Its value is not portable JSON: ${fault}.`
  return findHashMismatch(message, envelope as Envelope, previous)
}

type Fields = { readonly [field: string]: unknown }
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

/** The fields that every reader relies on. Checked in code, because the protocol's schema takes longer than the rest of the read. */
const requiredFields: { readonly [field: string]: (value: unknown) => boolean } = {
  id: isText,
  sender_id: isText,
  state: isText,
  type: isText,
  received_at: (value) => isText(value) && !Number.isNaN(Date.parse(value)),
  parts: (value) => Array.isArray(value) && value.every(isPart),
  sig: (value) => isObject(value) && isText(value.alg) && isText(value.kid) && isText(value.value),
}
const optionalFields: typeof requiredFields = {
  to: isTexts,
  next_speakers: isTexts,
  causes: isTexts,
  triggers: isTexts,
  task_id: isText,
  reply_to: isText,
  payment: isObject,
}

function isPart(part: unknown): boolean {
  if (!isObject(part)) return false
  const { text, data, artifact } = part
  return (text === undefined || isText(text)) && (data === undefined || isObject(data)) && (artifact === undefined || isNamedFile(artifact))
}

const isNamedFile = (file: unknown) => isObject(file) && isText(file.name) && isText(file.sha256)

/** The first field that is missing or invalid. */
function findInvalidField(envelope: Fields): string | null {
  for (const field in requiredFields) if (!requiredFields[field]?.(envelope[field])) return field
  for (const field in optionalFields) if (envelope[field] !== undefined && !optionalFields[field]?.(envelope[field])) return field
  return null
}

/**
 * The same for consecutive messages. `ends`: the hash before the first message, and the head of the log.
 * The last message must match the hash of the head; otherwise the log is truncated.
 */
export function findCorruptMessages(messages: readonly StoredMessage[], roomId: string, ends?: PageBounds): (string | null)[] {
  return messages.map((message, index) => {
    const before = messages[index - 1] ?? (ends?.previous ? { seq: ends.after, hash: ends.previous } : undefined)
    const fault = corruptionOf(message, roomId, before?.seq === message.seq - 1 && before.hash !== '' ? before.hash : null)
    return fault ?? (message.seq === ends?.head && ends.hash !== null && message.hash !== ends.hash ? truncatedLog : null)
  })
}

const truncatedLog = 'The log does not end with it: its last hash is of another message, so that messages behind this one are gone.'

/** Sequence numbers after `after` and up to `end` without a message. */
export function missingSeqs(rows: readonly { readonly seq: number }[], after: number, end: number): number[] {
  const missing: number[] = []
  // From 2 ** 53 on, adding 1 does not change a number.
  if (end <= after) return missing
  let next = after + 1
  for (const { seq } of rows) {
    for (; next < seq; next++) missing.push(next)
    next = seq + 1
  }
  for (; next <= end; next++) missing.push(next)
  return missing
}
