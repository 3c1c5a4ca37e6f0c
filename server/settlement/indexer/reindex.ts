import type { Context } from '../../context.ts'
import { type Channel, isFundedChannel } from '../channels/payment-channel.ts'
import { getBalances } from '../ledger/ledger-store.ts'
import { indexEvents } from './index-events.ts'

/** Where nothing is known of a plan, so far back: as much as is asked of a node at once. */
const fallbackBlocks = 2_000

/**
 * Has the log read again from `block` on, all of it: what was read is there already, and applying it again changes nothing.
 * For a node that had the blocks and had not indexed all that lies in them, when its log was taken for the whole.
 */
export async function reindexFrom(ctx: Context, block: number): Promise<void> {
  const { chainId } = ctx.market
  const before = Math.max(0, block - 1)
  const blockHash = await ctx.ports.rail.blockHash(before)
  if (blockHash === null) return
  const { count } = await ctx.db.chainCursor.updateMany({ where: { chainId, block: { gt: before } }, data: { block: before, blockHash } })
  if (count > 0) ctx.log.warn({ block }, 'the log that was read lacks what the chain has; it is read again from there')
}

/**
 * Where the escrow itself, as of the block that we have read up to, holds another sum for a plan or has a newer charter of
 * it than its log has told us: no receipt of ours may ever say where: a node can withhold that too, for as long as we
 * ask. The log is read again, at once, from where we last heard of the plan. Where that mends nothing, a reconciliation
 * shows it, and what the goal waits for goes on: books that differ must not keep anybody from being paid.
 */
export async function reindexIfPlanBehind(ctx: Context, goalId: string): Promise<void> {
  const { chainId } = ctx.market
  const hold = await ctx.db.hold.findUnique({ where: { goalId }, select: { planId: true } })
  const cursor = await ctx.db.chainCursor.findUnique({ where: { chainId } })
  if (!hold?.planId || !cursor) return
  const logs = await ctx.db.chainLog.findMany({ where: { chainId, planId: hold.planId }, select: { name: true, block: true, args: true } })
  const account = `escrow:${goalId}`
  const held = (await getBalances(ctx, [account])).get(account) ?? 0n
  // Nodes forget how things stood long ago: then the next round tells, when more has been read.
  const plan = await ctx.ports.rail.plan(hold.planId as `0x${string}`, cursor.block).catch(() => null)
  if (!plan) return
  const versions = logs.filter((one) => one.name === 'PlanSealed').map((one) => Number((one.args as { version?: unknown }).version))
  if (plan.remaining === held && plan.version <= Math.max(0, ...versions)) return
  const last = logs.reduce((newest, one) => Math.max(newest, one.block), 0)
  await reindexFrom(ctx, last > 0 ? last : cursor.block - fallbackBlocks)
  await indexEvents(ctx)
}

/** The same for a channel that is to be asked something of: its contract has another status, sum or notice than its log has told us. */
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
