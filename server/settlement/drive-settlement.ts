import type { Context } from '../context.ts'
import { driveTransactions } from './drive-transactions.ts'
import { readChain } from './read-chain.ts'
import { submitDue } from './submit-due.ts'

/**
 * Everything that money needs to arrive, once round: what is wanted and not begun is begun, what is begun is brought on, what
 * the chain says is read. Called at start and every second or so; all that a process left undone is found here.
 */
export async function driveSettlement(ctx: Context): Promise<void> {
  await driveTransactions(ctx)
  await readChain(ctx)
  await submitDue(ctx)
}
