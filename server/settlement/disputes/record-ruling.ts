import { rulingHash } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { stepNotDisputable } from '../errors.ts'
import { type EscrowHold, requireEscrowHold } from '../holds/hold.ts'
import { lockHold } from '../holds/hold-store.ts'
import { lockDispute, transitionDispute } from './dispute-store.ts'

type StepRuling = { readonly goalId: string; readonly disputeId: string; readonly payeeBps: number; readonly reason: string }

/** Stores a ruling, which a job signs as arbitrator and sends to the escrow. Idempotent for the same ruling. */
export async function recordRuling(
  tx: Context,
  { goalId, disputeId, payeeBps, reason }: StepRuling,
  ruledBy: string,
): Promise<{ dispute_id: string; state: string }> {
  await lockHold(tx, goalId)
  await requireNotFrozen(tx, { goalId })
  const dispute = await lockDispute(tx, disputeId)
  const hash = await rulingHash({ goal_id: goalId, step: dispute.step, payee_bps: payeeBps, reason })
  if (dispute.rulingHash === hash && (dispute.state === 'ruling' || dispute.state === 'ruled'))
    return { dispute_id: disputeId, state: dispute.state }
  const next = await transitionDispute(tx, dispute, 'ruling', { payeeBps, reason, rulingHash: hash, ruledBy, failure: null })
  await appendAudit(tx, {
    stream: holdAuditStreamName(goalId),
    action: 'dispute.rule',
    before: { state: dispute.state },
    after: { state: next.state, dispute_id: disputeId, step: dispute.step, payee_bps: payeeBps, ruling_hash: hash },
  })
  await enqueue(tx, { type: 'dispute.ruling', goal_id: goalId as never, dispute_id: disputeId as never })
  await sendSignal(tx, { topic: 'goal', id: goalId })
  return { dispute_id: disputeId, state: next.state }
}

/** @throws dispute.wrong_state if the terms name another arbitrator, or the plan has expired */
export function requireOwnArbitrator(ctx: Context, hold: EscrowHold): void {
  const { arbitrator, expiry } = hold.terms
  if (arbitrator !== ctx.market.arbitrator)
    throw stepNotDisputable("The arbitrator in the terms is not this market's.", { expected: arbitrator, actual: ctx.market.arbitrator })
  const now = seconds(ctx.clock.now())
  if (now >= expiry) throw stepNotDisputable('The plan has expired, so its terms decide the disputed steps.', { expiry, now })
}

const acceptedBefore = 'The client had accepted this step before it disputed it.'

/**
 * Part of the transaction that announces a dispute. If the client disputes a step that it has accepted, the arbitrator rules for the payee
 * without an operator. Otherwise the dispute, unruled until the expiry, would refund accepted work where silence refunds.
 */
export async function ruleAcceptedStep(tx: Context, { goalId, disputeId }: Pick<StepRuling, 'goalId' | 'disputeId'>): Promise<void> {
  const hold = requireEscrowHold(await lockHold(tx, goalId))
  const dispute = await lockDispute(tx, disputeId)
  const isOurs = hold.terms.arbitrator === tx.market.arbitrator && seconds(tx.clock.now()) < hold.terms.expiry
  if (!isOurs || dispute.by !== hold.terms.client || dispute.state !== 'open') return
  await recordRuling(tx, { goalId, disputeId, payeeBps: 10_000, reason: acceptedBefore }, 'system:disputes')
}
