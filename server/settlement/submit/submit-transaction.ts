import { actingAs, type Context } from '../../context.ts'
import { processTransaction } from '../chain/process-transaction.ts'
import { type ExternalReads, inRestartableTransaction } from '../chain/restartable-transaction.ts'
import { type ChainTransaction, isLive } from '../chain/transaction.ts'
import { verifyNetwork } from '../chain/verify-network.ts'
import { hitFailpoint } from '../events/failpoint.ts'
import { indexEvents } from '../indexer/index-events.ts'

/**
 * The two halves of every call to the chain: `prepare` decides and writes down what is to be called, in one database
 * transaction, which waits for no node and no signer (see `inTransactionAsking`); `answers`: what was asked for it already. Then it is signed, sent, and what the chain says about it is read. Dying between the two, or anywhere in the
 * second, loses nothing: the transaction is there to be driven on.
 */
export async function submitTransaction(
  ctx: Context,
  prepare: (tx: Context) => Promise<ChainTransaction | null>,
  answers?: ExternalReads,
): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  await hitFailpoint(system, 'intent')
  await verifyNetwork(system)
  // Two nodes have to tell the same of what has happened before anything more does.
  if (system.ports.rail.nodes > 1) await indexEvents(system)
  const transaction = await inRestartableTransaction(system, prepare, answers)
  if (!transaction || !isLive(transaction)) return
  await hitFailpoint(system, 'rail_chosen')
  const { state } = await processTransaction(system, transaction)
  if (state === 'final') await indexEvents(system)
  // One that has failed gets its next attempt, or its failure written down, at once where that is due.
  if (state === 'failed_final' || state === 'replaced') await inRestartableTransaction(system, prepare)
}
