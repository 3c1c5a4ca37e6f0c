import type { Context } from '../context.ts'
import { driveTransactions } from './drive-transactions.ts'
import { isAtRest } from './is-at-rest.ts'
import { postTransactions } from './post-transactions.ts'
import { readChain } from './read-chain.ts'

/** Everything that money needs to arrive, once round: what is begun is brought on, and what the chain says is read. */
export async function driveSettlement(ctx: Context): Promise<void> {
  if (await isAtRest(ctx)) return
  await driveTransactions(ctx)
  await readChain(ctx)
  await postTransactions(ctx)
}
