import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowEvent } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import type { EventGroup } from '../chain-events/group-events.ts'
import { draftChannelTransfers } from '../ledger/draft-channel-transfers.ts'
import { postLedgerTransfer } from '../ledger/ledger-store.ts'
import { advanceChannel, type Channel, type ChannelEvent, isFundedChannel } from './channel.ts'
import { lockChannel, saveChannel } from './channel-store.ts'

/**
 * Applies the events of one transaction to one channel, atomically. Only this function marks a channel as open, claimed or closed.
 * Idempotent. Ignores channels of other servers.
 */
export async function applyChannelEvents(tx: Context, { channelId, claimed, events }: EventGroup): Promise<void> {
  const row = await tx.db.channel.findUnique({ where: { id: channelId ?? '' }, select: { id: true, contract: true } })
  if (row === null || row.contract !== tx.market.channels) return
  const channel = await lockChannel(tx, row.id)
  const { payer, receiver } = channel.config
  for (const draft of draftChannelTransfers(row.id, events, { payer, receiver, claimed })) await postLedgerTransfer(tx, draft)
  await applyEvents(tx, channel, events)
}

async function applyEvents(tx: Context, before: Channel, events: readonly EscrowEvent[]): Promise<void> {
  let channel = before
  for (const event of events) {
    const what = toChannelEvent(channel, event)
    if (what === null) continue
    channel = advanceChannel(channel, what)
    if (what.type === 'open') await enqueue(tx, { type: 'channel.opened', channel_id: channel.id })
    if (what.type === 'claim') await enqueue(tx, { type: 'voucher.claimed', channel_id: channel.id })
    if (what.type === 'close_requested') await enqueue(tx, { type: 'channel.closing', channel_id: channel.id })
    if (what.type === 'close') await enqueue(tx, { type: 'channel.closed', channel_id: channel.id })
  }
  if (channel === before) return
  await saveChannel(tx, channel)
  await appendAudit(tx, {
    stream: channelAuditStreamName(channel.id),
    action: 'channel.record',
    before: { state: before.state },
    after: { state: channel.state, tx: events[0]?.txHash ?? '', events: events.map((event) => event.name) },
  })
  await sendSignal(tx, { topic: 'channel', id: channel.id })
}

/** The state change that a contract event causes; null if the channel already reflects it. */
export function toChannelEvent(channel: Channel, event: EscrowEvent): ChannelEvent | null {
  const sum = (name: string) => BigInt(String(event.args[name]))
  if (event.name === 'ChannelOpened') return isFundedChannel(channel) ? null : { type: 'open', tx: event.txHash, deposit: sum('deposit') }
  if (!isFundedChannel(channel) || channel.state === 'closed') return null
  switch (event.name) {
    case 'ToppedUp':
      return sum('deposit') > channel.deposit ? { type: 'top_up', deposit: sum('deposit') } : null
    case 'Claimed':
      return sum('totalClaimed') > channel.claimed ? { type: 'claim', total: sum('totalClaimed') } : null
    case 'CloseRequested': {
      const withdrawableAt = Number(sum('withdrawableAt'))
      return channel.withdrawableAt === withdrawableAt ? null : { type: 'close_requested', withdrawableAt }
    }
    case 'ChannelClosed':
      return { type: 'close', tx: event.txHash, total: sum('totalClaimed'), refunded: sum('refunded') }
    default:
      return null
  }
}
