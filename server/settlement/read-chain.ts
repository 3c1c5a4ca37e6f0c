import { actingAs, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import type { EscrowEvent } from '../ports.ts'
import { inSpan, joinTrace } from '../telemetry/index.ts'
import { confirmationsFor } from './chain-transaction.ts'
import { reached } from './failpoint.ts'
import { recordChannelEvents } from './record-channels.ts'
import { recordRailEvents } from './record-rail-events.ts'
import { requireChain } from './require-chain.ts'
import { rewindCursor } from './rewind-cursor.ts'

/** Nodes limit how many blocks one question may span. */
const rangeBlocks = 2_000

type Cursor = { readonly block: number; readonly blockHash: string }

/**
 * Reads the escrow's log up to the newest final block and applies it. Each range is one database transaction with the
 * cursor's own step, so it is applied once, whoever reads and whoever dies. What is worth more waits for more blocks on
 * top, and whatever follows it waits with it: the log is applied in its order.
 */
export async function readChain(ctx: Context): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'chain' })
  const { rail } = system.ports
  await requireChain(system)
  let cursor = await getCursor(system)
  const head = await rail.head()
  const last = head.number - rail.confirmations
  const known = await rail.blockHash(cursor.block)
  // The head is beyond it and the block is not there: two nodes have answered, one of which lags behind.
  if (known === null && head.number >= cursor.block) return
  if (known !== cursor.blockHash) {
    const rewound = await rewindCursor(system, cursor, head.number)
    if (!rewound) return
    cursor = rewound
  }
  while (cursor.block < last) {
    const next = await readRange(system, cursor, Math.min(last, cursor.block + rangeBlocks), head.number)
    if (!next) return
    cursor = next
  }
}

async function getCursor(ctx: Context): Promise<Cursor> {
  return ctx.db.chainCursor.findUniqueOrThrow({ where: { chainId: ctx.market.chainId } })
}

/** One range, or as much of it as is deep enough. Null where nothing is, or the chain or another reader has moved meanwhile. */
async function readRange(ctx: Context, from: Cursor, wanted: number, head: number): Promise<Cursor | null> {
  const { rail } = ctx.ports
  const { chainId } = ctx.market
  const all = await rail.readEvents(from.block + 1, wanted)
  const toBlock = Math.min(wanted, (await firstShallow(ctx, all, head)) - 1)
  if (toBlock <= from.block) return null
  const events = all.filter((event) => event.block <= toBlock)
  const blockHash = await rail.blockHash(toBlock)
  if (blockHash === null || !(await isComplete(ctx, events, from.block, toBlock))) return null
  // Asked twice: what was read between is of this chain and no other.
  if ((await rail.blockHash(from.block)) !== from.blockHash || (await rail.blockHash(toBlock)) !== blockHash) return null
  const next = await inTransaction(ctx, async (tx) => {
    const [cursor] = await tx.db.$queryRaw<
      Cursor[]
    >`select "block", "blockHash" from "chain_cursor" where "chainId" = ${chainId} for update`
    if (cursor?.block !== from.block || cursor.blockHash !== from.blockHash) return null
    await tx.db.chainLog.createMany({
      data: events.map(({ at, ...event }) => ({ chainId, ...event, at: new Date(at * 1_000) })),
      skipDuplicates: true,
    })
    for (const group of groupEvents(events)) {
      const record = group[0]?.contract === 'channels' ? recordChannelEvents : recordRailEvents
      const own = await traceOf(tx, group)
      if (own) await inSpan(own, { name: 'chain log', kind: 'consumer' }, (traced) => record(traced, group))
      else await record(tx, group)
      await reached(tx, 'event_recorded')
    }
    await tx.db.chainCursor.update({ where: { chainId }, data: { block: toBlock, blockHash } })
    return { block: toBlock, blockHash }
  })
  if (events.length > 0) await reached(ctx, 'range_recorded')
  return next
}

/** The first block with an event that is worth more blocks than lie on it; beyond all where there is none. */
async function firstShallow(ctx: Context, events: readonly EscrowEvent[], head: number): Promise<number> {
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
    return total !== undefined && head - event.block < confirmationsFor(total, rail)
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

/** Within the trace of whatever asked for the transaction that these events are of. Null where none is known, or nobody collects. */
async function traceOf(tx: Context, events: readonly EscrowEvent[]): Promise<Context | null> {
  if (tx.ports.traces === null) return null
  const candidate = await tx.db.chainCandidate.findUnique({
    where: { hash: events[0]?.txHash ?? '' },
    select: { transaction: { select: { trace: true } } },
  })
  const trace = candidate?.transaction.trace
  return trace ? joinTrace(tx, trace) : null
}

/** By transaction and plan, in the chain's order; what a transaction did to channels is one piece. */
export function groupEvents(events: readonly EscrowEvent[]): EscrowEvent[][] {
  const ordered = [...events].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  return [...Map.groupBy(ordered, (event) => `${event.txHash} ${event.contract} ${event.planId}`).values()]
}
