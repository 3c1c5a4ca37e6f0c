/** The team approval that a goal's client must sign, for programs that hold its wallet or session key. */
import { type Charter, cardPlan, charterAuthorizationTypedData, charterVetoTypedData } from '@parley/protocol'
import type { Context } from '../../../context.ts'
import { formatMarketMoney } from '../../../format-market-money.ts'
import { getCharterApproval, getHold } from '../../../settlement/index.ts'
import { findTeam } from '../../../teams/index.ts'
import { toOneLine } from './to-one-line.ts'

export type PendingTeamApproval = {
  readonly version: number
  readonly charter: Charter
  readonly charter_hash: string
  /** What approved steps cost together, without the fee, in base units and for people. */
  readonly total: string
  readonly total_text: string
  /** A line for each step: its title, amount and payee. */
  readonly steps_text: readonly string[]
  /** `stepsHash` covers the payees and amounts of the charter: compare before signing. */
  readonly typed_data: unknown
  /** The typed data that rejects the team, signed by the same keys. */
  readonly veto: unknown
  /** When it becomes payable without an approval; null if it has no veto window. RFC 3339. */
  readonly payable_from: string | null
}

/** Null if no team waits for the client's approval. Call it only for the goal's client. */
export async function findPendingTeamApproval(ctx: Context, goalId: string): Promise<PendingTeamApproval | null> {
  const approval = await getCharterApproval(ctx, goalId)
  if (approval.state !== 'open' && approval.state !== 'proposed') return null
  const team = await findTeam(ctx, goalId)
  // A charter that this server does not have cannot be shown or signed.
  if (team?.charterHash !== approval.charterHash) return null
  const { version, charter, charterHash } = team
  const { rail, chainId, escrow, planId, asset } = await getHold(ctx, goalId)
  const plan = rail === 'escrow' ? { chain_id: chainId, escrow, plan_id: planId } : cardPlan(goalId, ctx.market.chainId)
  const typed_data = charterAuthorizationTypedData(charter, charterHash as `0x${string}`, plan)
  const veto = charterVetoTypedData(plan, version)
  const payable_from = approval.payableFrom === null ? null : new Date(approval.payableFrom * 1_000).toISOString()
  return { version, charter, charter_hash: charterHash, ...amountsOf(ctx, charter, asset), typed_data, veto, payable_from }
}

function amountsOf(
  { market }: Context,
  { steps }: Charter,
  asset: string,
): Pick<PendingTeamApproval, 'total' | 'total_text' | 'steps_text'> {
  const total = steps.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const steps_text = steps.map(
    ({ step, title, amount, payee }) => `${step}. ${toOneLine(title)}: ${formatMarketMoney(market, amount, asset)} to ${payee}`,
  )
  return { total: total.toString(), total_text: formatMarketMoney(market, total, asset), steps_text }
}
