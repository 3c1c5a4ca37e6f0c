import type { StoredMessage } from './read-log.ts'

/**
 * Why a stored message can't be handed to anybody, or null where it can: its text has to be an envelope of this place. Its
 * signature and its place in the chain are for the reader to check.
 */
export function poisonOf({ seq, body }: StoredMessage, groupId: string): string | null {
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
  return null
}

/** Numbers behind `after` of which nothing is there, though there is something behind them. */
export function missingOf(rows: readonly { readonly seq: number }[], after: number): number[] {
  const missing: number[] = []
  let next = after + 1
  for (const { seq } of rows) {
    for (; next < seq; next++) missing.push(next)
    next = seq + 1
  }
  return missing
}
