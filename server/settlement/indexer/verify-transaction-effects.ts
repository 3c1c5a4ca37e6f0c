import type { Context } from '../../context.ts'
import type { ChainReceipt } from '../../ports.ts'
import { joinTrace, recordSpan } from '../../telemetry/index.ts'
import type { ChainObservation, ChainTransaction } from '../chain/transaction.ts'
import { chainTransactionFromRow, listSignedTransactions, recordObservation } from '../chain/transaction-store.ts'
import { hitFailpoint } from '../chain-events/failpoint.ts'
import { reindexFrom } from './reindex.ts'

/**
 * Marks final transactions as posted if the indexed log shows their effects. A successful receipt without events is not enough. If
 * the nonce is unused on chain, the receipt was wrong, and the same transaction is broadcast again. Otherwise the attempt failed,
 * and another may follow. The contract applies each effect once, so a late inclusion does no harm.
 */
export async function verifyTransactionEffects(ctx: Context): Promise<void> {
  const { chainId } = ctx.market
  const cursor = await ctx.db.chainCursor.findUnique({ where: { chainId } })
  if (!cursor) return
  const rows = await ctx.db.chainTransaction.findMany({
    where: { chainId, sender: ctx.ports.rail.sender, state: 'final', block: { lte: cursor.block } },
    orderBy: { nonce: 'asc' },
    take: 200,
  })
  for (const row of rows) {
    const transaction = chainTransactionFromRow(row)
    // Faucet transactions emit no escrow events.
    const isProved = transaction.purpose === 'faucet' || (await isInLog(ctx, transaction.id))
    // Queried once, so that both decisions use the same answer of an inconsistent node.
    const receipt = isProved ? null : await loadCurrentReceipt(ctx, transaction)
    if (receipt?.hasEvents) {
      await reindexFrom(ctx, transaction.block ?? 0)
      continue
    }
    if (!isProved)
      ctx.log.error(
        { event: 'transaction.effect_missing', key: transaction.key, hash: transaction.hash },
        'A transaction succeeded without an event of its effect.',
      )
    await recordObservation(ctx, transaction, isProved ? { type: 'posted' } : await classifyUnproven(ctx, transaction, receipt))
    recordSpan(joinTrace(ctx, row.traceparent), {
      name: `chain ${row.purpose}`,
      kind: 'client',
      startedAt: row.createdAt.getTime(),
      attributes: { 'parley.key': row.key, 'parley.tx': row.hash ?? '', 'parley.block': row.block ?? 0 },
      error: isProved ? null : 'unproved',
    })
    await hitFailpoint(ctx, 'posted')
  }
}

/**
 * The node's receipt, if it is from the expected block. If it has our events, the node's logs were incomplete when the block was
 * indexed.
 */
async function loadCurrentReceipt(ctx: Context, { hash, block, blockHash }: ChainTransaction): Promise<ChainReceipt | null> {
  const { rail } = ctx.ports
  const receipt = hash === null ? null : await rail.receipt(hash)
  if (receipt === null || receipt.block !== block || receipt.blockHash !== blockHash) return null
  return (await rail.blockHash(receipt.block)) === blockHash ? receipt : null
}

/** Without a receipt the transaction counts as never mined and is broadcast again. */
async function classifyUnproven(ctx: Context, { nonce }: ChainTransaction, receipt: ChainReceipt | null): Promise<ChainObservation> {
  const isUsed = nonce !== null && (await ctx.ports.rail.chainNonce()) > nonce
  return isUsed && receipt !== null ? { type: 'unproved', at: ctx.clock.now() } : { type: 'vanished' }
}

async function isInLog(ctx: Context, transactionId: string): Promise<boolean> {
  const hashes = (await listSignedTransactions(ctx, transactionId)).map((candidate) => candidate.hash as string)
  const where = { chainId: ctx.market.chainId, txHash: { in: hashes } }
  // An event in a dead letter is proof as well.
  return (await ctx.db.chainLog.count({ where })) + (await ctx.db.chainDeadLetter.count({ where })) > 0
}
