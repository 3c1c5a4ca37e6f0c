/** The server's record of a resource: state and reason, but not its endpoint. */
import type { PoolEntry, ResourceCard } from '@parley/protocol'
import type { PoolChange } from './gateway-pool.ts'

export function toPoolEntry(change: PoolChange): PoolEntry {
  if ('refused' in change) return { ...cardFields(change.refused), ...unknown, state: 'refused', reason: cut(change.reason) }
  const { card, pool, state, reason, checks, fingerprint, testedAt, admission } = change.resource
  const tested_at = testedAt > 0 ? new Date(testedAt).toISOString() : null
  return { ...cardFields(card), pool, state, reason: cut(reason), checks, fingerprint, tested_at, admission }
}

const unknown = { pool: 'public', checks: 0, fingerprint: '', tested_at: null, admission: null } as const

function cardFields(card: ResourceCard) {
  const { resource, kind, name, summary, operator, region, topics, skills, endpoint } = card
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '').replaceAll(':', '-')
  return {
    ...{ resource, kind, name, summary, operator, host, topics, skills: skills.map(({ id }) => id) },
    ...(region !== undefined && { region }),
  }
}

/** A reason may contain text of a resource. Characters that a room refuses are removed. */
function cut(reason: string): string {
  const plain = reason.toWellFormed().replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
  return plain.length > 500 ? `${plain.slice(0, 499)}…` : plain
}
