import { z } from 'zod'
import { appendAudit } from '../../audit/index.ts'
import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { requireOperator } from '../../policy/index.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { holdWrongState } from '../errors.ts'
import { captureHold } from '../holds/capture-hold.ts'
import { type Hold, isSettling, requireEscrowHold } from '../holds/hold.ts'
import { loadHold, lockHold } from '../holds/hold-store.ts'
import { voidHold } from '../holds/void-hold.ts'
import { listSettlements } from '../submit/submit-settlement.ts'
import { retryCardPayments } from './retry-card-payments.ts'

const StoredIntent = z.object({
  version: z.number(),
  bits: z.string().transform(BigInt),
  wanted: z.object({ bits: z.string().transform(BigInt), halves: z.string().transform(BigInt) }).optional(),
  conclusionHash: z
    .string()
    .regex(/^0x[0-9a-f]{64}$/)
    .transform((hash) => hash as `0x${string}`),
})

/**
 * An operator, or the worker, retries a failed settlement. It pays the same steps for the same conclusion with a full number of
 * attempts. An attempt that waits for its retry delay starts at once. Idempotent while the settlement is pending.
 * @throws permission.denied for all but operators; hold.wrong_state if no settlement has failed, or the charter has changed
 */
export async function retrySettlement(ctx: Context, input: { readonly goal_id: string }): Promise<{ goal_id: string; state: string }> {
  requireOperator(ctx, 'settlement.retry')
  const goalId = input.goal_id
  if ((await loadHold(ctx, goalId)).rail === 'stripe') return { goal_id: goalId, state: await retryCardPayments(ctx, goalId) }
  return inTransaction(ctx, async (tx) => {
    const hold = requireEscrowHold(await lockHold(tx, goalId))
    await requireNotFrozen(tx, { goalId })
    const last = (await listSettlements(tx, goalId)).at(-1)
    const isWaiting = last?.state === 'failed_retryable'
    if (isSettling(hold) && !isWaiting) return { goal_id: goalId, state: hold.state }
    if (!last || !(isWaiting || (last.state === 'failed_final' && hold.state === 'authorized')))
      throw holdWrongState(hold.state, 'have its settlement tried again')
    await tx.db.chainTransaction.update({ where: { id: last.id }, data: { reopenedAt: tx.clock.now() } })
    if (hold.state === 'authorized') await requestAgain(tx, hold, last.id)
    const after = await lockHold(tx, goalId)
    await appendAudit(tx, {
      stream: holdAuditStreamName(goalId),
      action: 'settlement.retry',
      before: { state: hold.state, failure: last.failure, attempt: last.attempt },
      after: { state: after.state },
    })
    return { goal_id: goalId, state: after.state }
  })
}

/** Requests the stored settlement again, if its charter version is still in force. */
async function requestAgain(tx: Context, hold: Extract<Hold, { state: 'authorized' }>, transactionId: string): Promise<void> {
  const { goalId, disputeBy } = hold
  const row = await tx.db.chainTransaction.findUniqueOrThrow({ where: { id: transactionId } })
  const intent = StoredIntent.parse(row.intent)
  if (intent.version !== (hold.charter?.version ?? 0)) throw holdWrongState('authorized', 'be settled as under an earlier charter')
  const payouts = await tx.db.payout.findMany({ where: { goalId, state: { not: 'replaced' } } })
  const taskIds = Object.fromEntries(payouts.flatMap(({ step, taskId }) => (taskId === null ? [] : [[step, taskId]])))
  const system = actingAs(tx, { kind: 'system', name: 'jobs' })
  const { conclusionHash } = intent
  const { bits, halves } = intent.wanted ?? { bits: intent.bits, halves: 0n }
  if (bits === 0n) await voidHold(system, { goalId, conclusionHash, disputeBy })
  else await captureHold(system, { goalId, bits, halves, conclusionHash, taskIds, disputeBy })
}
