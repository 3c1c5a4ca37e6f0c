import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { EscrowEvent } from '../../ports.ts'
import { getFinalizedBlock } from '../chain/finalized-block.ts'
import { requiredConfirmations } from '../chain/transaction.ts'
import { verifyNetwork } from '../chain/verify-network.ts'
import { applyEventGroups, isTransient } from '../events/apply-event-groups.ts'
import { groupEvents } from '../events/event-group.ts'
import { claimedBefore, storeEvents } from '../events/event-store.ts'
import { hitFailpoint } from '../events/failpoint.ts'
import { applyEventGroup } from './apply-event-group.ts'
import { handleReorg } from './handle-reorg.ts'

/** Nodes limit how many blocks one question may span, and how many logs one answer holds: where one fails, fewer are asked for. */
const rangeBlocks = 2_000
const shrinkFactor = 16
/** How many events are booked in one database transaction, so that it ends in time. A block is never split. */
const maxEventsPerTransaction = 300

type Cursor = { readonly block: number; readonly blockHash: string }

/**
 * Reads the contracts' log up to the newest final block and applies it. Each range is one database transaction with the
 * cursor's own step, so it is applied once, whoever reads and whoever dies. What is worth more waits for more blocks on
 * top, and whatever follows it waits with it: the log is applied in its order.
 */
export async function indexEvents(ctx: Context): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { rail } = system.ports
  await verifyNetwork(system)
  let cursor = await getCursor(system)
  const head = await rail.head()
  const last = await getFinalizedBlock(rail, head.number)
  const known = await rail.blockHash(cursor.block)
  // The head is beyond it and the block is not there: two nodes have answered, one of which lags behind.
  if (known === null && head.number >= cursor.block) return
  if (known !== cursor.blockHash) {
    const rewound = await handleReorg(system, cursor, head.number)
    if (!rewound) return
    cursor = rewound
  }
  let span = rangeBlocks
  while (cursor.block < last) {
    const read = await fetchEvents(system, cursor.block, Math.min(last, cursor.block + span))
    span = read.span
    const next = await applyRange(system, cursor, read, head.number)
    if (!next) return
    cursor = next
  }
}

type FetchedRange = { readonly events: readonly EscrowEvent[]; readonly upTo: number; readonly span: number }

/** The events above one block up to another, or to an earlier one where the node does not answer for so many at once. */
async function fetchEvents(ctx: Context, above: number, wanted: number): Promise<FetchedRange> {
  for (let span = wanted - above; ; span = Math.ceil(span / shrinkFactor)) {
    try {
      return { events: await ctx.ports.rail.readEvents(above + 1, above + span), upTo: above + span, span }
    } catch (error) {
      if (span === 1 || !isTransient(error)) throw error
    }
  }
}

async function getCursor(ctx: Context): Promise<Cursor> {
  return ctx.db.chainCursor.findUniqueOrThrow({ where: { chainId: ctx.market.chainId } })
}

/** One range, or as much of it as is deep enough. Null where nothing is, or the chain or another reader has moved meanwhile. */
async function applyRange(ctx: Context, from: Cursor, read: FetchedRange, head: number): Promise<Cursor | null> {
  const { rail } = ctx.ports
  const { chainId } = ctx.market
  const toBlock = Math.min(lastBlockOfBatch(read), (await firstUnconfirmedBlock(ctx, read.events, head)) - 1)
  if (toBlock <= from.block) return null
  const events = read.events.filter((event) => event.block <= toBlock)
  const blockHash = await rail.blockHash(toBlock)
  if (blockHash === null || !(await isComplete(ctx, events, from.block, toBlock))) return null
  // Asked twice: what was read between is of this chain and no other.
  if ((await rail.blockHash(from.block)) !== from.blockHash || (await rail.blockHash(toBlock)) !== blockHash) return null
  const next = await inTransaction(ctx, async (tx) => {
    const cursor = await lockCursor(tx)
    if (cursor?.block !== from.block || cursor.blockHash !== from.blockHash) return null
    const groups = groupEvents(events, await claimedBefore(tx, events))
    await applyEventGroups(tx, groups, await storeEvents(tx, events, groups), applyEventGroup)
    await tx.db.chainCursor.update({ where: { chainId }, data: { block: toBlock, blockHash } })
    return { block: toBlock, blockHash }
  })
  if (events.length > 0) await hitFailpoint(ctx, 'range_recorded')
  return next
}

/** Nobody else reads until this transaction ends. */
export async function lockCursor(tx: Context): Promise<Cursor | undefined> {
  const { chainId } = tx.market
  const [cursor] = await tx.db.$queryRaw<Cursor[]>`select "block", "blockHash" from "chain_cursor" where "chainId" = ${chainId} for update`
  return cursor
}

/** Up to which block the events are few enough for one transaction; at least the first block that has any. */
function lastBlockOfBatch({ events, upTo }: FetchedRange): number {
  const blocks = events.map((event) => event.block).sort((a, b) => a - b)
  const beyond = blocks[maxEventsPerTransaction]
  const first = blocks[0]
  if (beyond === undefined || first === undefined) return upTo
  return Math.max(first, beyond - 1)
}

/** The first block with an event that is worth more blocks than lie on it; beyond all where there is none. */
async function firstUnconfirmedBlock(ctx: Context, events: readonly EscrowEvent[], head: number): Promise<number> {
  const { rail } = ctx.ports
  if (rail.depths.length === 0) return Number.POSITIVE_INFINITY
  const channelIds = [...new Set(events.flatMap((event) => event.channelId ?? []))]
  const planIds = [...new Set(events.flatMap((event) => event.planId ?? []))]
  const holds = await ctx.db.hold.findMany({ where: { planId: { in: planIds } }, select: { planId: true, total: true } })
  const channels = await ctx.db.channel.findMany({ where: { id: { in: channelIds } }, select: { id: true, deposit: true } })
  const totals = new Map([
    ...holds.map((hold) => [hold.planId, hold.total] as const),
    ...channels.map((one) => [one.id, one.deposit] as const),
  ])
  const shallow = events.filter((event) => {
    const id = event.planId ?? event.channelId
    const total = id === null ? undefined : totals.get(id)
    return total !== undefined && head - event.block < requiredConfirmations(total, rail)
  })
  return shallow.reduce((first, event) => Math.min(first, event.block), Number.POSITIVE_INFINITY)
}

/**
 * Whether the node's log holds what the node's receipts say. Behind one address there may be several nodes, one of which
 * has not indexed a block yet: its log would be taken for the whole, and what it lacks would never be read.
 */
async function isComplete(ctx: Context, events: readonly EscrowEvent[], above: number, upTo: number): Promise<boolean> {
  const { rail } = ctx.ports
  const ours = await ctx.db.chainTransaction.findMany({
    where: { chainId: ctx.market.chainId, state: { in: ['seen', 'final'] }, block: { gt: above, lte: upTo } },
    select: { key: true, hash: true },
  })
  for (const { key, hash } of ours) {
    if (hash === null || events.some((event) => event.txHash === hash)) continue
    const receipt = await rail.receipt(hash as `0x${string}`)
    if (!receipt?.hasEvents || receipt.block <= above || receipt.block > upTo) continue
    ctx.log.warn({ key, hash }, "the node's log lacks what its receipt shows; read again later")
    return false
  }
  return true
}
