import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { EscrowEvent } from '../../ports.ts'
import { getFinalizedBlock } from '../chain/get-finalized-block.ts'
import { requiredConfirmations } from '../chain/transaction.ts'
import { verifyNetwork } from '../chain/verify-network.ts'
import { applyEventGroups, isTransient } from '../chain-events/apply-event-groups.ts'
import { readClaimedTotals, storeEvents } from '../chain-events/event-store.ts'
import { hitFailpoint } from '../chain-events/failpoint.ts'
import { groupEvents } from '../chain-events/group-events.ts'
import { handleReorg } from './handle-reorg.ts'
import { routeEventGroup } from './route-event-group.ts'

/** Nodes limit the block range and the number of logs of a query. After an error the range shrinks. */
const rangeBlocks = 2_000
const shrinkFactor = 16
/** Maximum number of events per database transaction, so that it ends in time. A block is never split. */
const maxEventsPerTransaction = 300

type Cursor = { readonly block: number; readonly blockHash: string }

/**
 * Indexes contract events up to the newest final block. One database transaction applies a range and moves the cursor. So each
 * event is applied exactly once, even after a crash or with several indexers. An event with a high value waits for more
 * confirmations, and all later events wait with it, because events are applied in order.
 */
export async function indexEvents(ctx: Context): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { rail } = system.ports
  await verifyNetwork(system)
  let cursor = await getCursor(system)
  const head = await rail.head()
  const last = await getFinalizedBlock(rail, head.number)
  const known = await rail.blockHash(cursor.block)
  // The head is higher but the block is missing: two nodes answered, and one lags behind.
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

/** Fetches the events of a block range. Shrinks the range if the node rejects it. */
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

/** Applies one range, or its confirmed part. Null if nothing is confirmed, or if the chain or another indexer moved in the meantime. */
async function applyRange(ctx: Context, from: Cursor, read: FetchedRange, head: number): Promise<Cursor | null> {
  const { rail } = ctx.ports
  const { chainId } = ctx.market
  const toBlock = Math.min(lastBlockOfBatch(read), (await firstUnconfirmedBlock(ctx, read.events, head)) - 1)
  if (toBlock <= from.block) return null
  const events = read.events.filter((event) => event.block <= toBlock)
  const blockHash = await rail.blockHash(toBlock)
  if (blockHash === null || !(await isComplete(ctx, events, from.block, toBlock))) return null
  // Both hashes are checked again after the query. So all events between them belong to the same chain.
  if ((await rail.blockHash(from.block)) !== from.blockHash || (await rail.blockHash(toBlock)) !== blockHash) return null
  const next = await inTransaction(ctx, async (tx) => {
    const cursor = await lockCursor(tx)
    if (cursor?.block !== from.block || cursor.blockHash !== from.blockHash) return null
    const groups = groupEvents(events, await readClaimedTotals(tx, events))
    await applyEventGroups(tx, groups, await storeEvents(tx, events, groups), routeEventGroup)
    await tx.db.chainCursor.update({ where: { chainId }, data: { block: toBlock, blockHash } })
    return { block: toBlock, blockHash }
  })
  if (events.length > 0) await hitFailpoint(ctx, 'range_recorded')
  return next
}

/** Locks the indexer cursor until this transaction ends. */
export async function lockCursor(tx: Context): Promise<Cursor | undefined> {
  const { chainId } = tx.market
  const [cursor] = await tx.db.$queryRaw<Cursor[]>`select "block", "blockHash" from "chain_cursor" where "chainId" = ${chainId} for update`
  return cursor
}

/** The last block whose events fit in one transaction. It includes at least the first block with events. */
function lastBlockOfBatch({ events, upTo }: FetchedRange): number {
  const blocks = events.map((event) => event.block).sort((a, b) => a - b)
  const beyond = blocks[maxEventsPerTransaction]
  const first = blocks[0]
  if (beyond === undefined || first === undefined) return upTo
  return Math.max(first, beyond - 1)
}

/** The first block with an event whose value needs more confirmations; infinity if there is none. */
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
 * Whether the node's logs contain the events in its receipts. A load balancer may reach a node that has not indexed a block yet.
 * Its incomplete logs would hide events for ever.
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
    ctx.log.warn({ event: 'chain.events_missing', key, hash }, 'The node has a receipt, but not its events. The indexer reads them later.')
    return false
  }
  return true
}
