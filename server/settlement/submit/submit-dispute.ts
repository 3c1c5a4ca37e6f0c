import type { Dispute } from '../../../prisma/client/client.ts'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { sendSignal } from '../../signals/signal.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { lockDispute, transitionDispute } from '../disputes/dispute-store.ts'
import { findEscrowedStep, stepIndex } from '../disputes/load-escrowed-step.ts'
import { hasStep, stepsWithStatus } from '../holds/hold.ts'
import { escrowCharter, lockHold } from '../holds/hold-store.ts'
import { scheduleSealNow } from '../holds/schedule-sealing.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 5

/** Submits a party's dispute to the escrow, at the server's expense. Runs after `dispute.opening` and in every cycle. */
export async function submitDispute(ctx: Context, disputeId: string): Promise<void> {
  await submitTransaction(ctx, async (tx) => {
    const found = await tx.db.dispute.findUniqueOrThrow({ where: { id: disputeId } })
    await lockHold(tx, found.goalId)
    const dispute = await lockDispute(tx, disputeId)
    if (dispute.state !== 'signed' || dispute.signature === null) return null
    const escrowed = await findEscrowedStep(tx, dispute.goalId, dispute.step)
    if (escrowed?.charter.version !== dispute.charterVersion) return refuse(tx, dispute, 'Its charter is no longer in force.')
    const { hold, charter } = escrowed
    const plan = await tx.ports.rail.plan(hold.planId)
    // Its charter is not on chain yet and must be sealed first.
    if (plan.status === 1 && plan.version < charter.version) {
      await scheduleSealNow(tx, dispute.goalId)
      return null
    }
    // Already disputed on chain. The event will confirm it.
    if (hasStep(stepsWithStatus(plan.codes, 'disputed'), dispute.step)) return null
    const isPending = plan.status === 1 && hasStep(stepsWithStatus(plan.codes, 'pending'), dispute.step)
    const prepared = isPending
      ? await createTransactionIntent(tx, {
          key: `dispute:${dispute.id}`,
          purpose: 'dispute',
          goalId: dispute.goalId,
          call: {
            kind: 'dispute',
            terms: hold.terms,
            charter: escrowCharter(charter),
            step: stepIndex(dispute.step),
            evidenceHash: dispute.evidenceHash as `0x${string}`,
            by: dispute.by as `0x${string}`,
            signature: dispute.signature as `0x${string}`,
          },
          attempts,
        })
      : { refused: 'The step was paid or ended before the dispute came to the escrow.' }
    if ('transaction' in prepared) return prepared.transaction
    return refuse(tx, dispute, prepared.refused)
  })
}

/** The party can dispute the step again under another charter. */
async function refuse(tx: Context, dispute: Dispute, failure: string): Promise<null> {
  const { id, goalId, step } = dispute
  await transitionDispute(tx, dispute, 'refused', { failure })
  await appendAudit(tx, { stream: holdAuditStreamName(goalId), action: 'dispute.refuse', after: { dispute_id: id, step, failure } })
  await sendSignal(tx, { topic: 'goal', id: goalId })
  return null
}
