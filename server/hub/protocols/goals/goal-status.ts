import type { Context } from '../../../context.ts'
import { formatMarketMoney } from '../../../format-market-money.ts'
import { type Goal, getGoal } from '../../../goals/index.ts'
import { getFundingTerms, getHold } from '../../../settlement/index.ts'
import { findPendingTeamApproval, type PendingTeamApproval } from './find-pending-team-approval.ts'

/** A goal for foreign agents. `sign`, `pay` and `approve`: what the goal needs from its client; only the client sees them. */
export type GoalStatus = {
  readonly goal: GoalView
  readonly sign?: FundingToSign
  /** If the goal is paid by card. */
  readonly pay?: { readonly url: string }
  readonly approve?: PendingTeamApproval
}
/** `balance`: of the wallet. `terms` and `charter`: of a quoted goal. Fields with `_text` are amounts for people. */
type FundingToSign = {
  readonly typed_data: unknown
  readonly balance: string
  readonly balance_text: string
  readonly total_text: string
  readonly terms?: unknown
  readonly charter?: unknown
}
export type GoalView = Pick<Goal, 'state' | 'text' | 'outcome'> & {
  readonly goal_id: string
  readonly room_id: string
  readonly client_id: string
  readonly budget: string
  /** For people: "2.00 USDC". */
  readonly budget_text: string
  readonly deadline: string
  readonly answer: unknown
}

/** @throws goal.not_found, also if the actor may not read it */
export async function readGoalStatus(ctx: Context, id: string): Promise<GoalStatus> {
  const goal = await getGoal(ctx, id)
  const { state, text, outcome, answer, clientId, roomId, budget, deadline, asset } = goal
  const view = { goal_id: goal.id, room_id: roomId, client_id: clientId, state, text, outcome, answer }
  const shown = {
    goal: {
      ...view,
      budget: budget.toString(),
      budget_text: formatMarketMoney(ctx.market, budget, asset),
      deadline: deadline.toISOString(),
    },
  }
  const isOwn = ctx.actor.kind === 'person' && ctx.actor.did === clientId
  if (!isOwn) return shown
  if (state === 'open' || state === 'underway') {
    const approve = await findPendingTeamApproval(ctx, id)
    return approve ? { ...shown, approve } : shown
  }
  if (state !== 'funding') return shown
  const hold = await getHold(ctx, id)
  if (hold.isSigned) return shown
  if (hold.rail === 'stripe') return { ...shown, pay: { url: `${ctx.market.publicUrl}/goals/${id}` } }
  // Null if the deadline has passed.
  const funding = await getFundingTerms(ctx, id).catch(() => null)
  if (!funding) return shown
  const { typedData: typed_data, terms, charter, balance } = funding
  const texts = { balance_text: formatMarketMoney(ctx.market, balance), total_text: formatMarketMoney(ctx.market, terms.total) }
  return { ...shown, sign: { typed_data, balance: balance.toString(), ...texts, ...(charter && { terms, charter }) } }
}
