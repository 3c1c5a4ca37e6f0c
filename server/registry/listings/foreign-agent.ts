import { createHash } from 'node:crypto'
import { type ListingHome, Score } from '@parley/protocol'

/** What stands behind a listing of another installation, as the database has it. */
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

/** Shown where the home's claim can't be read. */
const noScore: Score = { n: 0, mean: null, score: 0, paid_steps: 0, payers: 0, failed_steps: 0 }

/** The agent's id here: nobody can choose it to be another agent's, because it is a hash. */
export function foreignAgentId(origin: string, homeAgentId: string): string {
  return `agt_${createHash('sha256').update(`parley-foreign-v1:${origin}:${homeAgentId}`).digest('hex').slice(0, 32)}`
}

/** A handle of another installation, as it is shown and found here. */
export function foreignHandle(origin: string, handle: string): string {
  return `${handle}@${new URL(origin).host}`
}

/** Where a listing comes from, as it is shown. */
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
