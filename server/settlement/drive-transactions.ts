import type { Context } from '../context.ts'
import { driveTransaction } from './drive-transaction.ts'
import { readTransaction } from './prepare-transaction.ts'
import { requireChain } from './require-chain.ts'
import { submitDue } from './submit-due.ts'

/**
 * Brings every live transaction on (sends its bytes, again if need be, and notes what the chain made of them), then begins
 * what is wanted and was never begun. Called at start and again and again: all that a process left undone is found here.
 * Any number of processes may do it at once, and any of them may die anywhere in it.
 */
export async function driveTransactions(ctx: Context): Promise<void> {
  await requireChain(ctx)
  const rows = await ctx.db.chainTransaction.findMany({
    where: { chainId: ctx.market.chainId, sender: ctx.ports.rail.sender, state: { in: ['prepared', 'submitted', 'seen'] } },
    orderBy: { nonce: 'asc' },
    take: 200,
  })
  for (const row of rows) await driveTransaction(ctx, readTransaction(row))
  await submitDue(ctx)
}
