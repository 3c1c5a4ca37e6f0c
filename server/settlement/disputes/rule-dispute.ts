import type { RuleDispute } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { operatorsOnly, permit } from '../../policy/index.ts'
import { listOwnAgents } from '../../registry/index.ts'
import { disputeNotFound, rulerIsParty } from '../errors.ts'
import { type EscrowHold, requireEscrowHold } from '../holds/hold.ts'
import { loadHold } from '../holds/hold-store.ts'
import { recordRuling, requireOwnArbitrator } from './record-ruling.ts'

/**
 * An operator rules on a disputed step, with reasons. The server signs the ruling as arbitrator and sends it to the escrow. The
 * contract's event confirms it. Idempotent for the same ruling.
 * @throws permission.denied for all but operators, and for a party of the goal; dispute.wrong_state
 */
export async function ruleDispute(ctx: Context, input: RuleDispute): Promise<{ dispute_id: string; state: string }> {
  await permit(ctx, 'dispute.rule')
  const { actor } = ctx
  if (actor.kind !== 'person' || !actor.isOperator) throw operatorsOnly('dispute.rule')
  const { dispute_id: id, payee_bps: payeeBps, reason } = input
  const found = await ctx.db.dispute.findUnique({ where: { id } })
  if (!found) throw disputeNotFound(id)
  const { goalId } = found
  const hold = requireEscrowHold(await loadHold(ctx, goalId))
  await requireImpartial(ctx, hold, actor)
  requireOwnArbitrator(ctx, hold)
  return inTransaction(ctx, (tx) => recordRuling(tx, { goalId, disputeId: id, payeeBps, reason }, actor.did))
}

/** Requires an impartial operator: not the client, not a payee of any step, and not the owner of a team's agent. */
async function requireImpartial(ctx: Context, hold: EscrowHold, actor: { did: string; address: string }): Promise<void> {
  const who = actor.address.toLowerCase()
  const payouts = await ctx.db.payout.findMany({ where: { goalId: hold.goalId }, select: { payee: true, agentId: true } })
  const charters = await ctx.db.holdCharter.findMany({ where: { goalId: hold.goalId }, select: { steps: true } })
  const isPaid = payouts.some((payout) => payout.payee === who) || charters.some(({ steps }) => JSON.stringify(steps).includes(who))
  if (who === hold.terms.client || isPaid) throw rulerIsParty(who)
  const own = await listOwnAgents(ctx, actor.did)
  if (own.some(({ agentId }) => payouts.some((payout) => payout.agentId === agentId))) throw rulerIsParty(who)
}
