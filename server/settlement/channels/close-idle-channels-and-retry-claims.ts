import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { advanceChannel, idleSeconds, timeoutEvent } from './channel.ts'
import { channelFromRow, lockChannel, saveChannel } from './channel-store.ts'

/** Closes idle channels and retries rejected claims, so that no deposit stays locked. */
export async function closeIdleChannelsAndRetryClaims(ctx: Context): Promise<void> {
  for (const id of await findStaleChannels(ctx)) {
    await inTransaction(actingAs(ctx, { kind: 'system', name: 'jobs' }), async (tx) => {
      const channel = await lockChannel(tx, id)
      const { updatedAt } = await tx.db.channel.findUniqueOrThrow({ where: { id }, select: { updatedAt: true } })
      const event = timeoutEvent(channel, { changedAt: seconds(updatedAt), now: seconds(tx.clock.now()) })
      if (event === null) return
      const next = advanceChannel(channel, event)
      await saveChannel(tx, next)
      await appendAudit(tx, {
        stream: channelAuditStreamName(id),
        action: event.type === 'request_close' ? 'channel.close' : 'channel.retry',
        before: { state: channel.state },
        after: { state: next.state },
      })
      if (event.type === 'request_close') await enqueue(tx, { type: 'channel.closing', channel_id: channel.id })
      await sendSignal(tx, { topic: 'channel', id })
    })
  }
}

/** Channels with a due timeout. */
async function findStaleChannels(ctx: Context): Promise<string[]> {
  const { chainId, channels } = ctx.market
  const now = ctx.clock.now()
  const rows = await ctx.db.channel.findMany({
    where: {
      chainId,
      contract: channels ?? '',
      state: { in: ['open', 'closing'] },
      OR: [{ failure: { not: null } }, { state: 'open', updatedAt: { lte: new Date(now.getTime() - idleSeconds * 1_000) } }],
    },
    orderBy: { updatedAt: 'asc' },
    take: 200,
  })
  const frozen = await ctx.db.chainDeadLetter.findMany({ where: { chainId, state: 'open' }, select: { channelId: true } })
  const isFrozen = (id: string) => frozen.some((one) => one.channelId === id)
  const isStale = (row: (typeof rows)[number]) =>
    timeoutEvent(channelFromRow(row), { changedAt: seconds(row.updatedAt), now: seconds(now) }) !== null
  return rows.filter((row) => !isFrozen(row.id) && isStale(row)).map(({ id }) => id)
}
