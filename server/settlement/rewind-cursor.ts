import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { readTransaction } from './prepare-transaction.ts'

/** How many blocks with events of ours are tried, newest first, before starting far below all of them. */
const steps = 64

/**
 * The chain no longer has the block that we have read up to. Goes back to the newest block that both know, to be read again
 * from there, and sends the transactions of ours that were mined above it once more: the same bytes can have no second
 * effect. Rows stay: what was read as final is not unwritten, a reconciliation shows what differs. With no confirmations
 * asked for (a local chain that was killed before it wrote its state) this is how the last seconds come back.
 */
export async function rewindCursor(
  ctx: Context,
  cursor: { readonly block: number; readonly blockHash: string },
  head: number,
): Promise<{ block: number; blockHash: string } | null> {
  const { chainId, isLocalChain } = ctx.market
  const { rail } = ctx.ports
  // Elsewhere a node that is behind gives the same picture, and catches up.
  if (head < cursor.block && !isLocalChain) return null
  const common = await commonBlock(ctx, Math.min(cursor.block, head))
  ctx.log.warn({ from: cursor.block, to: common.block, confirmations: rail.confirmations }, 'the chain was rewritten; reading it again')
  const isRewound = await inTransaction(ctx, async (tx) => {
    const { count } = await tx.db.chainCursor.updateMany({ where: { chainId, blockHash: cursor.blockHash }, data: common })
    return count === 1
  })
  if (!isRewound) return null
  const ours = await ctx.db.chainTransaction.findMany({
    where: { chainId, sender: rail.sender, block: { gt: common.block } },
    orderBy: { nonce: 'asc' },
  })
  for (const row of ours.map(readTransaction)) {
    if (await rail.receipt(row.hash)) continue
    const answer = await rail.broadcast(row.raw)
    ctx.log.warn({ key: row.key, hash: row.hash, answer }, 'sent again what the chain had lost')
  }
  return common
}

async function commonBlock(ctx: Context, below: number): Promise<{ block: number; blockHash: string }> {
  const { rail } = ctx.ports
  const known = await ctx.db.chainLog.findMany({
    where: { chainId: ctx.market.chainId, block: { lt: below } },
    distinct: ['block', 'blockHash'],
    orderBy: { block: 'desc' },
    select: { block: true, blockHash: true },
    take: steps,
  })
  for (const one of known) if ((await rail.blockHash(one.block)) === one.blockHash) return one
  const block = Math.max(0, (known.at(-1)?.block ?? below) - steps)
  return { block, blockHash: (await rail.blockHash(block)) ?? (await rail.genesis()) }
}
