import type { Context } from '../context.ts'
import { joinTrace, tellSpan } from '../telemetry/index.ts'
import type { ChainTransaction, Sighting } from './chain-transaction.ts'
import { reached } from './failpoint.ts'
import { readAgain } from './read-again.ts'
import { listCandidates, noteSighting, readTransaction } from './transaction-store.ts'

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
    if (!isProved && (await isLeftOut(ctx, transaction))) {
      await readAgain(ctx, transaction.block ?? 0)
      continue
    }
    if (!isProved) ctx.log.error({ key: transaction.key, hash: transaction.hash }, 'success was reported, and the log shows no effect')
    await noteSighting(ctx, transaction, isProved ? { type: 'posted' } : await judge(ctx, transaction))
    tellSpan(joinTrace(ctx, row.trace), {
      name: `chain ${row.purpose}`,
      kind: 'client',
      startedAt: row.createdAt.getTime(),
      attributes: { 'parley.key': row.key, 'parley.tx': row.hash ?? '', 'parley.block': row.block ?? 0 },
      error: isProved ? null : 'unproved',
    })
    await reached(ctx, 'posted')
  }
}

/**
 * Whether the node's receipt shows events that its log did not when we read it: the block was read before anybody knew that a
 * transaction of ours lies there, from a node that had not indexed it yet.
 */
async function isLeftOut(ctx: Context, { hash, block, blockHash }: ChainTransaction): Promise<boolean> {
  const { rail } = ctx.ports
  const receipt = hash === null ? null : await rail.receipt(hash)
  if (!receipt?.hasEvents || receipt.block !== block || receipt.blockHash !== blockHash) return false
  return (await rail.blockHash(receipt.block)) === blockHash
}

async function judge(ctx: Context, { hash, nonce, blockHash }: ChainTransaction): Promise<Sighting> {
  const { rail } = ctx.ports
  const receipt = hash === null ? null : await rail.receipt(hash)
  const isUsed = nonce !== null && (await rail.chainNonce()) > nonce
  if (!isUsed || receipt?.blockHash !== blockHash) return { type: 'vanished' }
  return { type: 'unproved', at: ctx.clock.now() }
}

async function isInLog(ctx: Context, transactionId: string): Promise<boolean> {
  const hashes = (await listCandidates(ctx, transactionId)).map((candidate) => candidate.hash as string)
  return (await ctx.db.chainLog.count({ where: { chainId: ctx.market.chainId, txHash: { in: hashes } } })) > 0
}
