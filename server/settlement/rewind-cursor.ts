import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { isMined } from './chain-transaction.ts'
import { noteSighting, readTransaction } from './transaction-store.ts'

/** How many blocks with events of ours are tried, newest first, before starting far below all of them. */
const steps = 64

/**
 * The chain no longer has the block that we have read up to. Goes back to the newest block that both know, to be read again
 * from there: what was read of removed blocks is taken out of the log, and transactions of ours that were mined in them are
 * brought on anew, with the same bytes, which can have no second effect. The ledger keeps what was posted as final: one key
 * a fact, so reading it again posts nothing twice, and what never comes back is shown by a reconciliation. With no
 * confirmations asked for (a local chain that was killed before it wrote its state) this is how the last seconds come back.
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
    if (count === 0) return false
    await tx.db.chainLog.deleteMany({ where: { chainId, block: { gt: common.block } } })
    const ours = await tx.db.chainTransaction.findMany({ where: { chainId, sender: rail.sender, block: { gt: common.block } } })
    for (const row of ours.map(readTransaction)) if (isMined(row)) await noteSighting(tx, row, { type: 'vanished' })
    return true
  })
  return isRewound ? common : null
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
