import { createHash } from 'node:crypto'
import { type ListingHome, Score } from '@parley/protocol'

/** The home of a foreign listing, as stored. */
export type ForeignRow = {
  readonly origin: string
  readonly homeAgentId: string
  readonly homeHandle: string
  readonly serverDid: string
  readonly revision: bigint
  readonly issuedAt: Date
  readonly expiresAt: Date
  readonly score: unknown
}

/** Shown if the score that the home claims cannot be parsed. */
const noScore: Score = { n: 0, mean: null, score: 0, paid_steps: 0, payers: 0, failed_steps: 0 }

/** The agent's id here: a hash, so that no peer can choose another agent's id. */
export function foreignAgentId(origin: string, homeAgentId: string): string {
  return `agt_${createHash('sha256').update(`parley-foreign-v1:${origin}:${homeAgentId}`).digest('hex').slice(0, 32)}`
}

/** The handle of a foreign agent here. */
export function foreignHandle(origin: string, handle: string): string {
  return `${handle}@${new URL(origin).host}`
}

/** The home of a listing, for pages. */
export function homeOf(row: ForeignRow): ListingHome {
  return {
    origin: row.origin,
    server: row.serverDid,
    agent_id: row.homeAgentId,
    handle: row.homeHandle,
    revision: Number(row.revision),
    issued_at: row.issuedAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
    score: Score.safeParse(row.score).data ?? noScore,
  }
}
