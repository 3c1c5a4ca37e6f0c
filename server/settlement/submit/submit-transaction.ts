import { actingAs, type Context } from '../../context.ts'
import { driveTransaction } from '../chain/process-transaction.ts'
import { type Answers, inTransactionAsking } from '../chain/restartable-transaction.ts'
import { type ChainTransaction, isLive } from '../chain/transaction.ts'
import { requireChain } from '../chain/verify-network.ts'
import { reached } from '../events/failpoint.ts'
import { readChain } from '../indexer/index-events.ts'

/**
 * The two halves of every call to the chain: `prepare` decides and writes down what is to be called, in one database
 * transaction, which waits for no node and no signer (see `inTransactionAsking`); `answers`: what was asked for it already. Then it is signed, sent, and what the chain says about it is read. Dying between the two, or anywhere in the
 * second, loses nothing: the transaction is there to be driven on.
 */
export async function submit(ctx: Context, prepare: (tx: Context) => Promise<ChainTransaction | null>, answers?: Answers): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  await reached(system, 'intent')
  await requireChain(system)
  // Two nodes have to tell the same of what has happened before anything more does.
  if (system.ports.rail.nodes > 1) await readChain(system)
  const transaction = await inTransactionAsking(system, prepare, answers)
  if (!transaction || !isLive(transaction)) return
  await reached(system, 'rail_chosen')
  const { state } = await driveTransaction(system, transaction)
  if (state === 'final') await readChain(system)
  // One that has failed gets its next attempt, or its failure written down, at once where that is due.
  if (state === 'failed_final' || state === 'replaced') await inTransactionAsking(system, prepare)
}
