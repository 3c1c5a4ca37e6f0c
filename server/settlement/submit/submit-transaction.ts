import { actingAs, type Context } from '../../context.ts'
import { processTransaction } from '../chain/process-transaction.ts'
import { type ExternalReads, inRestartableDatabaseTransaction } from '../chain/restartable-database-transaction.ts'
import { type ChainTransaction, isLiveTransaction } from '../chain/transaction.ts'
import { verifyNetwork } from '../chain/verify-network.ts'
import { hitFailpoint } from '../chain-events/failpoint.ts'
import { indexEvents } from '../indexer/index-events.ts'

/**
 * Submits a transaction to the chain. `prepare` decides and stores an intent in one database transaction, without waiting for a
 * node or a signer (see `inRestartableDatabaseTransaction`). `answers`: external reads made earlier. Then the transaction is signed,
 * broadcast and observed. After a crash at any point, `runTransactionRound` continues from the stored intent.
 */
export async function submitTransaction(
  ctx: Context,
  prepare: (tx: Context) => Promise<ChainTransaction | null>,
  answers?: ExternalReads,
): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  await hitFailpoint(system, 'intent')
  await verifyNetwork(system)
  // With two nodes, both must agree on past events before new transactions.
  if (system.ports.rail.nodes > 1) await indexEvents(system)
  const transaction = await inRestartableDatabaseTransaction(system, prepare, answers)
  if (!transaction || !isLiveTransaction(transaction)) return
  await hitFailpoint(system, 'rail_chosen')
  const { state } = await processTransaction(system, transaction)
  if (state === 'final') await indexEvents(system)
  // A failed attempt gets its retry, or its final failure is stored, if that is due now.
  if (state === 'failed_final' || state === 'replaced') await inRestartableDatabaseTransaction(system, prepare)
}
