import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { fundingKey } from '../holds/authorize-hold.ts'
import { advanceHold, type Hold, requireEscrowHold } from '../holds/hold.ts'
import { lockHold, saveHold } from '../holds/hold-store.ts'
import { submitTransaction } from './submit-transaction.ts'

/**
 * Submits the client's funding authorization to the escrow as a meta-transaction: the client only signs, and the server pays the gas.
 * Runs after `hold.authorizing` and in every cycle.
 */
export async function submitFunding(ctx: Context, goalId: string): Promise<void> {
  await submitTransaction(ctx, async (tx) => {
    const hold = requireEscrowHold(await lockHold(tx, goalId))
    if (hold.state !== 'authorizing' || !hold.authorization) return null
    // The client may have funded directly. Then the event will confirm it.
    const plan = await tx.ports.rail.plan(hold.planId)
    if (plan.status !== 0) return null
    const { attempt, ...authorization } = hold.authorization
    const prepared = await createTransactionIntent(tx, {
      key: fundingKey(goalId),
      purpose: 'fund',
      goalId,
      call: { kind: 'fund', terms: hold.terms, ...authorization },
      attempts: attempt,
    })
    if ('transaction' in prepared) return prepared.transaction
    await failHold(tx, hold, prepared.refused)
    return null
  })
}

async function failHold(tx: Context, hold: Hold, failure: string): Promise<void> {
  const failed = await saveHold(tx, advanceHold(hold, { type: 'fail', failure }))
  await appendAudit(tx, {
    stream: holdAuditStreamName(hold.goalId),
    action: 'hold.fail',
    before: { state: hold.state },
    after: { state: failed.state, failure },
  })
  await enqueue(tx, { type: 'hold.failed', goal_id: hold.goalId })
  await sendSignal(tx, { topic: 'goal', id: hold.goalId })
}
