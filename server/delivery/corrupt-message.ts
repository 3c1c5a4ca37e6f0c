import { type Envelope, jsonFault } from '@parley/protocol'
import type { PageBounds, StoredMessage } from './read-log.ts'
import { hashMismatch } from './verify-message.ts'

/**
 * Why a stored message can't be handed to anybody, or null where it can: its text has to be an envelope of this place, and to have
 * the hashes that were stored with it. Its signature is for the reader to check. `previous`: the chain hash of the message before
 * it, where that is known.
 */
export function corruptionOf(message: StoredMessage, groupId: string, previous: string | null = null): string | null {
  const { seq, body } = message
  let envelope: unknown
  try {
    envelope = JSON.parse(body)
  } catch (error) {
    return `Its text is no JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}`
  }
  if (envelope === null || typeof envelope !== 'object' || Array.isArray(envelope)) return 'Its text is no envelope.'
  const { seq: written, group_id } = envelope as Fields
  if (written !== seq || group_id !== groupId) return 'Its text names another place.'
  const misshapen = findInvalidField(envelope as Fields)
  if (misshapen !== null) return `Its envelope has no ${misshapen} that can be read.`
  const fault = jsonFault(envelope)
  if (fault !== null) return `It holds what can't be told everywhere: ${fault}.`
  return hashMismatch(message, envelope as Envelope, previous)
}

type Fields = { readonly [field: string]: unknown }
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

/** What every reader of an envelope takes for granted. By hand: the protocol's schema takes longer than all else that is done here. */
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

/** The first field that is not there, or does not have its form. */
function findInvalidField(envelope: Fields): string | null {
  for (const field in requiredFields) if (!requiredFields[field]?.(envelope[field])) return field
  for (const field in optionalFields) if (envelope[field] !== undefined && !optionalFields[field]?.(envelope[field])) return field
  return null
}

/**
 * The same of messages in their order, each with what it follows on where that is known. `ends`: the hash before the first, and where
 * the log ends: the last message has to be the one that the log's own hash is of, or those behind it are gone.
 */
export function corruptionsIn(messages: readonly StoredMessage[], groupId: string, ends?: PageBounds): (string | null)[] {
  return messages.map((message, index) => {
    const before = messages[index - 1] ?? (ends?.previous ? { seq: ends.after, hash: ends.previous } : undefined)
    const fault = corruptionOf(message, groupId, before?.seq === message.seq - 1 && before.hash !== '' ? before.hash : null)
    return fault ?? (message.seq === ends?.head && ends.hash !== null && message.hash !== ends.hash ? truncatedLog : null)
  })
}

const truncatedLog = 'The log does not end with it: its last hash is of another message, so that messages behind this one are gone.'

/** Numbers behind `after` and up to `end` of which nothing is there. */
export function missingSeqs(rows: readonly { readonly seq: number }[], after: number, end: number): number[] {
  const missing: number[] = []
  // From 2 ** 53 on the next number is the same one.
  if (end <= after) return missing
  let next = after + 1
  for (const { seq } of rows) {
    for (; next < seq; next++) missing.push(next)
    next = seq + 1
  }
  for (; next <= end; next++) missing.push(next)
  return missing
}
