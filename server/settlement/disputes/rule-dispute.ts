import { type RuleDispute, rulingHash } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { operatorsOnly, permit } from '../../policy/index.ts'
import { listOwnAgents } from '../../registry/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { disputeNotFound, rulerIsParty, stepNotDisputable } from '../errors.ts'
import { holdAuditStream } from '../events/audit-stream.ts'
import { requireNotFrozen } from '../events/frozen-subjects.ts'
import { type EscrowHold, onEscrow } from '../holds/hold.ts'
import { loadHold, lockHold } from '../holds/hold-store.ts'
import { lockDispute, transitionDispute } from './dispute-store.ts'

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
  const { goalId, step } = found
  const hold = onEscrow(await loadHold(ctx, goalId))
  await requireImpartial(ctx, hold, actor)
  requireOwnArbitrator(ctx, hold)
  const hash = await rulingHash({ goal_id: goalId, step, payee_bps: payeeBps, reason })

  return inTransaction(ctx, async (tx) => {
    await lockHold(tx, goalId)
    await requireNotFrozen(tx, { goalId })
    const dispute = await lockDispute(tx, id)
    if (dispute.rulingHash === hash && (dispute.state === 'ruling' || dispute.state === 'ruled'))
      return { dispute_id: id, state: dispute.state }
    const next = await transitionDispute(tx, dispute, 'ruling', { payeeBps, reason, rulingHash: hash, ruledBy: actor.did, failure: null })
    await appendAudit(tx, {
      chain: holdAuditStream(goalId),
      action: 'dispute.rule',
      before: { state: dispute.state },
      after: { state: next.state, dispute_id: id, step, payee_bps: payeeBps, ruling_hash: hash },
    })
    await enqueue(tx, { type: 'dispute.ruling', goal_id: goalId as never, dispute_id: id })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { dispute_id: id, state: next.state }
  })
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

function requireOwnArbitrator(ctx: Context, hold: EscrowHold): void {
  const { arbitrator, expiry } = hold.terms
  if (arbitrator !== ctx.market.arbitrator)
    throw stepNotDisputable("The arbitrator in the terms is not this market's.", { expected: arbitrator, actual: ctx.market.arbitrator })
  const now = seconds(ctx.clock.now())
  if (now >= expiry) throw stepNotDisputable('The plan has expired, so its terms decide the disputed steps.', { expiry, now })
}
