import type { Context } from '../../context.ts'
import { liveStates } from '../chain/transaction.ts'

/** Whether a batch transaction that settles this goal is pending. */
export async function hasPendingSettlementBatch(ctx: Context, goalId: string): Promise<boolean> {
  const batches = await ctx.db.batchedSettlement.findMany({ where: { goalId }, select: { transactionId: true } })
  if (batches.length === 0) return false
  const where = { id: { in: batches.map((one) => one.transactionId) }, state: { in: [...liveStates, 'final' as const] } }
  return (await ctx.db.chainTransaction.count({ where })) > 0
}
