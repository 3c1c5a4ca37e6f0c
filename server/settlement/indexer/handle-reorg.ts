import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inSavepoint } from '../../db/savepoint.ts'
import { inTransaction } from '../../db.ts'
import { reopenClientSigned } from '../chain/create-transaction-intent.ts'
import { isMined } from '../chain/transaction.ts'
import { chainTransactionFromRow, recordObservation } from '../chain/transaction-store.ts'
import { isTransient } from '../chain-events/apply-event-groups.ts'
import { clearFrozenAlarms } from '../chain-events/frozen-subjects.ts'
import { updateUnknownCharterAlarms } from '../charters/find-charter-unknown-to-server.ts'
import { reverseLedgerTransfer } from '../ledger/ledger-store.ts'

/** Number of blocks with our events to compare per query, newest first. Also how far below the oldest one to resume if none matches. */
const blocksPerRead = 64
/** Maximum number of logs to undo per database transaction. A deeper reorganization is undone in several steps, newest first. */
const maxLogsPerTransaction = 200

type Cursor = { readonly block: number; readonly blockHash: string }

/**
 * Handles a chain reorganization: the chain no longer has the last indexed block. Moves the cursor back to the newest common block. The
 * same database transaction undoes the removed blocks: it reverses ledger entries (compensating transactions), restores rows and voids dead
 * letters. Our transactions in removed blocks are broadcast again with the same bytes, so they cannot take effect twice. At any depth the
 * ledger ends equal to the chain.
 */
export async function handleReorg(ctx: Context, cursor: Cursor, head: number): Promise<Cursor | null> {
  const { chainId, isLocalChain } = ctx.market
  const { rail } = ctx.ports
  // On other chains the node may only lag behind, and catches up.
  if (head < cursor.block && !isLocalChain) return null
  const common = await findCommonAncestor(ctx, Math.min(cursor.block, head))
  ctx.log.warn(
    { event: 'chain.reorg_detected', from: cursor.block, to: common.block, confirmations: rail.confirmations },
    'The chain was reorganized. The indexer reads it again.',
  )
  for (let from = cursor; from.block > common.block || from.blockHash !== common.blockHash; ) {
    const to = await nextStop(ctx, common)
    const isRewound = await inTransaction(ctx, async (tx) => {
      const { count } = await tx.db.chainCursor.updateMany({ where: { chainId, block: from.block, blockHash: from.blockHash }, data: to })
      if (count === 0) return false
      await undoBlocksAbove(tx, to.block)
      return true
    })
    if (!isRewound) return null
    from = to
  }
  return common
}

/**
 * The block down to which one database transaction undoes. If it is not the last, its hash matches no block, so the next call
 * continues there.
 */
async function nextStop(ctx: Context, common: Cursor): Promise<Cursor> {
  const { chainId } = ctx.market
  const [beyond] = await ctx.db.chainLog.findMany({
    where: { chainId, block: { gt: common.block } },
    orderBy: { block: 'desc' },
    select: { block: true },
    skip: maxLogsPerTransaction,
    take: 1,
  })
  return beyond ? { block: beyond.block, blockHash: '0x' } : common
}

/** Undoes the effects of all blocks above this one. */
async function undoBlocksAbove(tx: Context, block: number): Promise<void> {
  const { chainId } = tx.market
  const removed = { chainId, block: { gt: block } }
  const logs = await tx.db.chainLog.findMany({ where: removed, select: { txHash: true }, distinct: ['txHash'] })
  await reverseLedger(
    tx,
    logs.map((log) => log.txHash),
  )
  await undoRows(tx, block)
  await tx.db.chainDeadLetter.updateMany({ where: { ...removed, state: 'open' }, data: { state: 'removed' } })
  await clearFrozenAlarms(tx)
  await tx.db.chainLog.deleteMany({ where: removed })
  await updateUnknownCharterAlarms(tx)
  const ours = await tx.db.chainTransaction.findMany({ where: { ...removed, sender: tx.ports.rail.sender } })
  for (const row of ours.map(chainTransactionFromRow)) if (isMined(row)) await recordObservation(tx, row, { type: 'vanished' })
}

/**
 * Reverses entries newest first, so that no balance becomes negative. An entry that cannot be reversed stays, and a reconciliation
 * reports it.
 */
async function reverseLedger(tx: Context, hashes: readonly string[]): Promise<void> {
  const transfers = await tx.db.ledgerTransfer.findMany({
    where: { tx: { in: [...hashes] }, reversesId: null, reversal: null, entries: { every: { asset: tx.market.asset } } },
    orderBy: { seq: 'desc' },
    select: { id: true, key: true },
  })
  for (const { id, key } of transfers) await inIsolation(tx, { transfer: key }, () => reverseLedgerTransfer(tx, id))
}

/** Restores the rows changed by events. A failure for one subject does not affect others. */
async function undoRows(tx: Context, block: number): Promise<void> {
  const { chainId } = tx.market
  const changes = await tx.db.chainUndo.findMany({ where: { chainId, block: { gt: block } }, orderBy: { id: 'desc' } })
  for (const [subject, own] of Map.groupBy(changes, (change) => change.subject)) {
    await inIsolation(tx, { subject }, async () => {
      for (const { id } of own) await tx.db.$executeRaw`select "undo_chain_change"(${id})`
      const keysOf = (relation: string) => own.filter((one) => one.relation === relation).map((one) => one.rowKey)
      const goalIds = [...new Set(keysOf('hold'))]
      await tx.db.hold.updateMany({ where: { goalId: { in: goalIds } }, data: { version: { increment: 1 }, updatedAt: tx.clock.now() } })
      for (const goalId of goalIds) await restorePayingSteps(tx, goalId)
      await reopenClientSigned(tx, { goalIds, channelIds: keysOf('channel') })
      await appendAudit(tx, { stream: subject, action: 'chain.rewind', after: { block, changes: own.length } })
    })
  }
}

/** Marks steps as paying again if their settlement is undone but still requested. */
async function restorePayingSteps(tx: Context, goalId: string): Promise<void> {
  await tx.db.$executeRaw`
    update "payout" p set "state" = 'paying' from "hold" h
    where h."goalId" = ${goalId} and p."goalId" = h."goalId" and h."state" = 'capturing' and p."state" = 'sealed'
      and (h."captureBits" >> (p."step" - 1)) & 1 = 1`
}

async function inIsolation(tx: Context, subject: { readonly [id: string]: string }, work: () => Promise<void>): Promise<void> {
  try {
    await inSavepoint(tx, work)
  } catch (error) {
    if (isTransient(error)) throw error
    tx.log.error({ event: 'chain.undo_failed', ...subject, err: error }, 'An effect of a removed block could not be undone.')
  }
}

/** The newest indexed block with our events that the chain still has. If none matches, a block below all of them. */
async function findCommonAncestor(ctx: Context, below: number): Promise<Cursor> {
  const { rail } = ctx.ports
  for (let limit = below; ; ) {
    const known = await ctx.db.chainLog.findMany({
      where: { chainId: ctx.market.chainId, block: { lt: limit } },
      distinct: ['block', 'blockHash'],
      orderBy: { block: 'desc' },
      select: { block: true, blockHash: true },
      take: blocksPerRead,
    })
    for (const one of known) if ((await rail.blockHash(one.block)) === one.blockHash) return one
    const oldest = known.at(-1)
    if (oldest) limit = oldest.block
    else {
      const block = Math.max(0, limit - blocksPerRead)
      return { block, blockHash: (await rail.blockHash(block)) ?? (await rail.genesis()) }
    }
  }
}
