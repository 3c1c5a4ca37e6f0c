import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import { liveStates } from './chain-transaction.ts'
import { driveTransaction } from './drive-transaction.ts'
import { postTransactions } from './post-transactions.ts'
import { requireChain } from './require-chain.ts'
import { submitDue } from './submit-due.ts'
import { readTransaction } from './transaction-store.ts'

/**
 * Brings every live transaction on (sends its bytes, again if need be, and notes what the chain made of them), then begins
 * what is wanted and was never begun. Called at start and again and again: all that a process left undone is found here.
 * Any number of processes may do it at once, and any of them may die anywhere in it.
 */
export async function driveTransactions(ctx: Context): Promise<void> {
  await requireChain(ctx)
  const rows = await ctx.db.chainTransaction.findMany({
    where: { chainId: ctx.market.chainId, sender: ctx.ports.rail.sender, state: { in: [...liveStates] } },
    // Those with a nonce in its order, then those that get one.
    orderBy: [{ nonce: { sort: 'asc', nulls: 'last' } }, { createdAt: 'asc' }],
    take: 200,
  })
  const troubles: unknown[] = []
  for (const row of rows) {
    try {
      await driveTransaction(ctx, readTransaction(row))
    } catch (error) {
      // A node that is away is away for all of them; anything else is this one's own trouble, and keeps no other waiting.
      if (error instanceof DomainError) throw error
      troubles.push(error)
    }
  }
  await postTransactions(ctx)
  await submitDue(ctx)
  if (troubles.length > 0) throw troubles[0]
}
