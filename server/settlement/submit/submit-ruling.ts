import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { sendSignal } from '../../signals/signal.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { lockDispute, transitionDispute } from '../disputes/dispute-store.ts'
import { loadEscrowedStep, stepIndex } from '../disputes/load-escrowed-step.ts'
import { hasStep, stepsWithStatus } from '../holds/hold.ts'
import { escrowCharter, lockHold } from '../holds/hold-store.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 5

/** Signs a ruling as the arbitrator and submits it to the escrow. Runs after `dispute.ruling` and in every cycle. */
export async function submitRuling(ctx: Context, disputeId: string): Promise<void> {
  await submitTransaction(ctx, async (tx) => {
    const found = await tx.db.dispute.findUniqueOrThrow({ where: { id: disputeId } })
    await lockHold(tx, found.goalId)
    const dispute = await lockDispute(tx, disputeId)
    if (dispute.state !== 'ruling' || dispute.payeeBps === null || dispute.rulingHash === null) return null
    const { hold, charter } = await loadEscrowedStep(tx, dispute.goalId, dispute.step)
    const plan = await tx.ports.rail.plan(hold.planId)
    // Already ended by us or by the parties. The event will show how.
    if (plan.status !== 1 || !hasStep(stepsWithStatus(plan.codes, 'disputed'), dispute.step)) return null
    const prepared = await createTransactionIntent(tx, {
      key: `rule:${dispute.id}`,
      purpose: 'rule',
      goalId: dispute.goalId,
      call: {
        kind: 'rule',
        terms: hold.terms,
        version: charter.version,
        charter: escrowCharter(charter),
        step: stepIndex(dispute.step),
        payeeBps: dispute.payeeBps,
        rulingHash: dispute.rulingHash as `0x${string}`,
      },
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    await transitionDispute(tx, dispute, 'open', { failure: prepared.refused, payeeBps: null, rulingHash: null })
    await appendAudit(tx, {
      stream: holdAuditStreamName(dispute.goalId),
      action: 'dispute.refuse_ruling',
      after: { dispute_id: dispute.id, failure: prepared.refused },
    })
    await sendSignal(tx, { topic: 'goal', id: dispute.goalId })
    return null
  })
}
