/** What the client of a goal is asked about its team, for programs that hold its wallet or session key. */
import { type Charter, charterAuthorizationTypedData, charterVetoTypedData } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { findApproval } from '../../../settlement/index.ts'
import { findTeam } from '../../../teams/index.ts'

export type PendingApproval = {
  readonly version: number
  readonly charter: Charter
  readonly charter_hash: string
  /** Its `stepsHash` is that of the charter's payees and amounts: compare before you sign. */
  readonly typed_data: unknown
  /** What refuses it, to be signed by the same keys. */
  readonly veto: unknown
  /** When it can be paid without an approval; null where it was not proposed on chain. RFC 3339. */
  readonly payable_from: string | null
}

/** Null where no team waits for the client's approval. Called for the goal's client only. */
export async function findPendingApproval(ctx: Context, goalId: string): Promise<PendingApproval | null> {
  const approval = await findApproval(ctx, goalId)
  if (approval === null || (approval.state !== 'open' && approval.state !== 'proposed')) return null
  const team = await findTeam(ctx, goalId)
  // Of a charter that this server never got there is nothing to show, and nothing to sign.
  if (!team?.charter.plan || team.charterHash !== approval.charterHash) return null
  const { version, charter, charterHash } = team
  const typed_data = charterAuthorizationTypedData(charter, charterHash as `0x${string}`, charter.plan as never)
  const veto = charterVetoTypedData(charter.plan as never, version)
  const payable_from = approval.payableFrom === null ? null : new Date(approval.payableFrom * 1_000).toISOString()
  return { version, charter, charter_hash: charterHash, typed_data, veto, payable_from }
}
