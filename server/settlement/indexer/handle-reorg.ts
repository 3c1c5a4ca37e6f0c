import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inSavepoint } from '../../db/savepoint.ts'
import { inTransaction } from '../../db.ts'
import { isMined } from '../chain/transaction.ts'
import { readTransaction, recordObservation } from '../chain/transaction-store.ts'
import { updateForeignCharterAlarms } from '../charters/foreign-charter.ts'
import { isTransient } from '../events/apply-event-groups.ts'
import { clearFrozenAlarms } from '../events/freeze.ts'
import { reverseLedgerTransfer } from '../ledger/ledger-store.ts'

/** How many blocks with events of ours are read at once, newest first; and how far below all of them is begun where none is left. */
const blocksPerRead = 64
/** How many logs are taken back in one database transaction. A deeper rewrite is taken back piece by piece, newest first. */
const maxLogsPerTransaction = 200

type Cursor = { readonly block: number; readonly blockHash: string }

/**
 * The chain no longer has the block that we have read up to. Goes back to the newest block that both know, to be read again
 * from there. What the removed blocks did to our books is taken back in the same transaction: their ledger entries are reversed,
 * the rows that follow the log are as before them, and dead letters of them are void. Transactions of ours that were mined in them
 * are brought on again, with the same bytes, which can have no second effect. However deep the rewrite is, and whichever
 * transaction carries an effect afterwards, the books end as the chain has it.
 */
export async function handleReorg(ctx: Context, cursor: Cursor, head: number): Promise<Cursor | null> {
  const { chainId, isLocalChain } = ctx.market
  const { rail } = ctx.ports
  // Elsewhere a node that is behind gives the same picture, and catches up.
  if (head < cursor.block && !isLocalChain) return null
  const common = await findCommonAncestor(ctx, Math.min(cursor.block, head))
  ctx.log.warn({ from: cursor.block, to: common.block, confirmations: rail.confirmations }, 'the chain was rewritten; reading it again')
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

/** As far back as one transaction goes. Where it is not the end yet, the hash is one that no block has: it is gone on from there. */
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

/** Undoes what blocks above this one did. */
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
  await updateForeignCharterAlarms(tx)
  const ours = await tx.db.chainTransaction.findMany({ where: { ...removed, sender: tx.ports.rail.sender } })
  for (const row of ours.map(readTransaction)) if (isMined(row)) await recordObservation(tx, row, { type: 'vanished' })
}

/** Newest first, so that no account is ever asked for more than it held. One that fails stays, and a reconciliation shows it. */
async function reverseLedger(tx: Context, hashes: readonly string[]): Promise<void> {
  const transfers = await tx.db.ledgerTransfer.findMany({
    where: { tx: { in: [...hashes] }, reversesId: null, reversal: null, entries: { every: { asset: tx.market.asset } } },
    orderBy: { seq: 'desc' },
    select: { id: true, key: true },
  })
  for (const { id, key } of transfers)
    await inIsolation(tx, `the ledger's ${key} could not be reversed`, () => reverseLedgerTransfer(tx, id))
}

/** The rows that follow the log, as they were before; one goal or channel that can't be undone keeps no other from it. */
async function undoRows(tx: Context, block: number): Promise<void> {
  const { chainId } = tx.market
  const changes = await tx.db.chainUndo.findMany({ where: { chainId, block: { gt: block } }, orderBy: { id: 'desc' } })
  for (const [subject, own] of Map.groupBy(changes, (change) => change.subject)) {
    await inIsolation(tx, `what the log did to ${subject} could not be undone`, async () => {
      for (const { id } of own) await tx.db.$executeRaw`select "undo_chain_change"(${id})`
      const keysOf = (relation: string) => own.filter((one) => one.relation === relation).map((one) => one.rowKey)
      await tx.db.hold.updateMany({
        where: { goalId: { in: keysOf('hold') } },
        data: { version: { increment: 1 }, updatedAt: tx.clock.now() },
      })
      for (const goalId of new Set(keysOf('hold'))) await restorePayingSteps(tx, goalId)
      await appendAudit(tx, { chain: subject, action: 'chain.rewind', after: { block, changes: own.length } })
    })
  }
}

/** Steps that were to be paid are so again, where their settlement is gone and its wish stands. */
async function restorePayingSteps(tx: Context, goalId: string): Promise<void> {
  await tx.db.$executeRaw`
    update "payout" p set "state" = 'paying' from "hold" h
    where h."goalId" = ${goalId} and p."goalId" = h."goalId" and h."state" = 'capturing' and p."state" = 'sealed'
      and (h."captureBits" >> (p."step" - 1)) & 1 = 1`
}

async function inIsolation(tx: Context, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await inSavepoint(tx, work)
  } catch (error) {
    if (isTransient(error)) throw error
    tx.log.error({ err: error }, what)
  }
}

/** The newest block with events of ours that the chain still has; below all of them where it has none. */
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
