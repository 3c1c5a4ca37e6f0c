import type { Context } from '../../context.ts'
import { liveStates } from '../chain/transaction.ts'

/** Whether a transaction that settles this goal with others is still under way. */
export async function hasPendingBatch(ctx: Context, goalId: string): Promise<boolean> {
  const batches = await ctx.db.batchedSettlement.findMany({ where: { goalId }, select: { transactionId: true } })
  if (batches.length === 0) return false
  const where = { id: { in: batches.map((one) => one.transactionId) }, state: { in: [...liveStates, 'final' as const] } }
  return (await ctx.db.chainTransaction.count({ where })) > 0
}
