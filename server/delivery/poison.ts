import { type Envelope, jsonFault } from '@parley/protocol'
import type { StoredMessage } from './read-log.ts'
import { hashFaultOf } from './verify-message.ts'

/**
 * Why a stored message can't be handed to anybody, or null where it can: its text has to be an envelope of this place, and to have
 * the hashes that were stored with it. Its signature is for the reader to check. `previous`: the chain hash of the message before
 * it, where that is known.
 */
export function poisonOf(message: StoredMessage, groupId: string, previous: string | null = null): string | null {
  const { seq, body } = message
  let envelope: unknown
  try {
    envelope = JSON.parse(body)
  } catch (error) {
    return `Its text is no JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'unreadable'}`
  }
  if (envelope === null || typeof envelope !== 'object' || Array.isArray(envelope)) return 'Its text is no envelope.'
  const { seq: written, group_id, sender_id, parts } = envelope as { [field: string]: unknown }
  if (written !== seq || group_id !== groupId) return 'Its text names another place.'
  if (typeof sender_id !== 'string' || !Array.isArray(parts)) return 'Its envelope lacks its sender or its parts.'
  const fault = jsonFault(envelope)
  if (fault !== null) return `It holds what can't be told everywhere: ${fault}.`
  return hashFaultOf(message, envelope as Envelope, previous)
}

/** The same of messages in their order, each with what it follows on where that is among them. */
export function poisonIn(messages: readonly StoredMessage[], groupId: string): (string | null)[] {
  return messages.map((message, index) => {
    const before = messages[index - 1]
    return poisonOf(message, groupId, before?.seq === message.seq - 1 && before.hash !== '' ? before.hash : null)
  })
}

/** Numbers behind `after` and up to `end` of which nothing is there. */
export function missingOf(rows: readonly { readonly seq: number }[], after: number, end: number): number[] {
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
