import type { Context } from '../../context.ts'
import { type Channel, isFundedChannel } from '../channels/channel.ts'
import { getBalances } from '../ledger/ledger-store.ts'
import { indexEvents } from './index-events.ts'

/** How far to go back if nothing is known of a plan: the maximum range of one query. */
const fallbackBlocks = 2_000

/**
 * Moves the cursor back so that all events from `block` on are indexed again. Applying them again changes nothing. Needed after a node
 * returned incomplete logs. Does nothing after a reorganization that was not handled yet. A cursor on the new branch would hide it, and the
 * events of the removed blocks would stay posted.
 */
export async function reindexFrom(ctx: Context, block: number): Promise<void> {
  const { chainId } = ctx.market
  const before = Math.max(0, block - 1)
  const cursor = await ctx.db.chainCursor.findUnique({ where: { chainId }, select: { block: true, blockHash: true } })
  if (cursor === null || cursor.block <= before) return
  const blockHash = await ctx.ports.rail.blockHash(before)
  // In this order: a chain that still has the cursor's block has the same block `before`.
  if (blockHash === null || (await ctx.ports.rail.blockHash(cursor.block)) !== cursor.blockHash) return
  const { count } = await ctx.db.chainCursor.updateMany({ where: { chainId, ...cursor }, data: { block: before, blockHash } })
  if (count > 0)
    ctx.log.warn({ event: 'chain.reindex_started', block }, 'Stored events are incomplete. The indexer reads them again from this block.')
}

/**
 * Reindexes a plan whose state in the contract, at the indexed block, is ahead of its events. This detects logs that a node
 * withholds, even without a receipt. Starts at the plan's last known event. If that does not help, the goal continues and a
 * reconciliation reports the difference, because a wrong ledger must not delay payments.
 */
export async function reindexIfPlanBehind(ctx: Context, goalId: string): Promise<void> {
  const { chainId } = ctx.market
  const hold = await ctx.db.hold.findUnique({ where: { goalId }, select: { planId: true } })
  const cursor = await ctx.db.chainCursor.findUnique({ where: { chainId } })
  if (!hold?.planId || !cursor) return
  const logs = await ctx.db.chainLog.findMany({ where: { chainId, planId: hold.planId }, select: { name: true, block: true, args: true } })
  const account = `escrow:${goalId}`
  const held = (await getBalances(ctx, [account])).get(account) ?? 0n
  // A node may have pruned this state. Then the next cycle repeats the check at a later block.
  const plan = await ctx.ports.rail.plan(hold.planId as `0x${string}`, cursor.block).catch(() => null)
  if (!plan) return
  const versions = logs.filter((one) => one.name === 'PlanSealed').map((one) => Number((one.args as { version?: unknown }).version))
  if (plan.remaining === held && plan.version <= Math.max(0, ...versions)) return
  const last = logs.reduce((newest, one) => Math.max(newest, one.block), 0)
  await reindexFrom(ctx, last > 0 ? last : cursor.block - fallbackBlocks)
  await indexEvents(ctx)
}

/** Reindexes a channel whose status, amounts or close request in the contract differ from its row. */
export async function reindexIfChannelBehind(ctx: Context, channel: Channel): Promise<void> {
  const { chainId } = ctx.market
  const cursor = await ctx.db.chainCursor.findUnique({ where: { chainId } })
  if (!cursor) return
  const there = await ctx.ports.rail.channel(channel.id, cursor.block).catch(() => null)
  if (!there || matchesRow(channel, there)) return
  const newest = await ctx.db.chainLog.findFirst({ where: { chainId, channelId: channel.id }, orderBy: { block: 'desc' } })
  await reindexFrom(ctx, newest?.block ?? cursor.block - fallbackBlocks)
  await indexEvents(ctx)
}

type ChannelOnChain = Awaited<ReturnType<Context['ports']['rail']['channel']>>

function matchesRow(channel: Channel, { status, deposit, claimed, closeRequestedAt }: ChannelOnChain): boolean {
  if (!isFundedChannel(channel)) return status === 0
  const withdrawableAt = closeRequestedAt === 0 ? null : closeRequestedAt + channel.config.withdrawDelay
  return status === 1 && deposit === channel.deposit && claimed === channel.claimed && withdrawableAt === channel.withdrawableAt
}
