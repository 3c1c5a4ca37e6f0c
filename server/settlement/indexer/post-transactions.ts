import type { Context } from '../../context.ts'
import type { ChainReceipt } from '../../ports.ts'
import { joinTrace, tellSpan } from '../../telemetry/index.ts'
import type { ChainObservation, ChainTransaction } from '../chain/transaction.ts'
import { listSignedTransactions, readTransaction, recordObservation } from '../chain/transaction-store.ts'
import { hitFailpoint } from '../events/failpoint.ts'
import { reindexFrom } from './reindex.ts'

/**
 * Final transactions whose blocks have been read: where the escrow's log has shown their effect, they are posted. A node
 * that said *success* and shows no log of it has not said enough. Where the chain never used the nonce, it was no truth, and
 * the same bytes are sent again; otherwise the attempt has failed, and another may be made. The contract has every effect
 * once, so one that did land after all cannot land twice.
 */
export async function postTransactions(ctx: Context): Promise<void> {
  const { chainId } = ctx.market
  const cursor = await ctx.db.chainCursor.findUnique({ where: { chainId } })
  if (!cursor) return
  const rows = await ctx.db.chainTransaction.findMany({
    where: { chainId, sender: ctx.ports.rail.sender, state: 'final', block: { lte: cursor.block } },
    orderBy: { nonce: 'asc' },
    take: 200,
  })
  for (const row of rows) {
    const transaction = readTransaction(row)
    // Test money and gas leave nothing in the escrow's log.
    const isProved = transaction.purpose === 'faucet' || (await isInLog(ctx, transaction.id))
    // Asked once: a node that answers now this and now that must not be believed a part of each.
    const receipt = isProved ? null : await loadCurrentReceipt(ctx, transaction)
    if (receipt?.hasEvents) {
      await reindexFrom(ctx, transaction.block ?? 0)
      continue
    }
    if (!isProved) ctx.log.error({ key: transaction.key, hash: transaction.hash }, 'success was reported, and the log shows no effect')
    await recordObservation(ctx, transaction, isProved ? { type: 'posted' } : await classifyUnproven(ctx, transaction, receipt))
    tellSpan(joinTrace(ctx, row.trace), {
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
 * The node's receipt, if it is of the block that it was seen in. One with events of ours says that the log lacked them when we read
 * it: the block was read before anybody knew that a transaction of ours lies there, from a node that had not indexed it yet.
 */
async function loadCurrentReceipt(ctx: Context, { hash, block, blockHash }: ChainTransaction): Promise<ChainReceipt | null> {
  const { rail } = ctx.ports
  const receipt = hash === null ? null : await rail.receipt(hash)
  if (receipt === null || receipt.block !== block || receipt.blockHash !== blockHash) return null
  return (await rail.blockHash(receipt.block)) === blockHash ? receipt : null
}

/** Without a receipt it is asked for again, as one that was never mined is. */
async function classifyUnproven(ctx: Context, { nonce }: ChainTransaction, receipt: ChainReceipt | null): Promise<ChainObservation> {
  const isUsed = nonce !== null && (await ctx.ports.rail.chainNonce()) > nonce
  return isUsed && receipt !== null ? { type: 'unproved', at: ctx.clock.now() } : { type: 'vanished' }
}

async function isInLog(ctx: Context, transactionId: string): Promise<boolean> {
  const hashes = (await listSignedTransactions(ctx, transactionId)).map((candidate) => candidate.hash as string)
  const where = { chainId: ctx.market.chainId, txHash: { in: hashes } }
  // What could not be booked was shown all the same.
  return (await ctx.db.chainLog.count({ where })) + (await ctx.db.chainDeadLetter.count({ where })) > 0
}
