import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../delivery/index.ts'
import type { EscrowEvent } from '../ports.ts'
import { wake } from '../wake.ts'
import { advanceChannel, type Channel, type ChannelEvent, channelChain, isFundedChannel } from './channel.ts'
import { type BookedChannel, draftChannels } from './channel-ledger.ts'
import { lockChannel, saveChannel } from './channel-store.ts'
import { balancesOf, postLedger } from './post-ledger.ts'

/**
 * Applies what one transaction did in the channels' contract, all of it or nothing. The only place where a channel becomes
 * open, claimed from or closed. Applying it again changes nothing; channels that are none of ours are passed over.
 */
export async function recordChannelEvents(tx: Context, events: readonly EscrowEvent[]): Promise<void> {
  const ids = [...new Set(events.flatMap((event) => event.channelId ?? []))].sort()
  const ours = await tx.db.channel.findMany({ where: { id: { in: ids }, contract: tx.market.channels ?? '' }, select: { id: true } })
  const locked = new Map<string, Channel>()
  for (const { id } of ours) locked.set(id, await lockChannel(tx, id))
  const credits = events.filter((event) => event.name === 'CreditWithdrawn').map((event) => `channel-credit:${event.args.account}`)
  const held = credits.length > 0 ? await balancesOf(tx, credits) : new Map<string, bigint>()
  const draft = draftChannels(
    events,
    (id) => bookedOf(locked.get(id)),
    (account) => held.get(account) ?? 0n,
  )
  if (draft) await postLedger(tx, draft)
  for (const { id } of ours) {
    const channel = locked.get(id)
    if (channel)
      await applyEvents(
        tx,
        channel,
        events.filter((event) => event.channelId === id),
      )
  }
}

export function bookedOf(channel: Channel | undefined): BookedChannel | undefined {
  if (!channel) return undefined
  const { payer, receiver } = channel.config
  return { payer, receiver, claimed: isFundedChannel(channel) ? channel.claimed : 0n }
}

async function applyEvents(tx: Context, before: Channel, events: readonly EscrowEvent[]): Promise<void> {
  let channel = before
  for (const event of events) {
    const what = eventOf(channel, event)
    if (what === null) continue
    channel = advanceChannel(channel, what)
    if (what.type === 'open') await enqueue(tx, { type: 'channel.opened', channel_id: channel.id })
    if (what.type === 'claim') await enqueue(tx, { type: 'voucher.claimed', channel_id: channel.id })
    if (what.type === 'notice') await enqueue(tx, { type: 'channel.closing', channel_id: channel.id })
    if (what.type === 'close') await enqueue(tx, { type: 'channel.closed', channel_id: channel.id })
  }
  if (channel === before) return
  await saveChannel(tx, channel)
  await appendAudit(tx, {
    chain: channelChain(channel.id),
    action: 'channel.record',
    before: { state: before.state },
    after: { state: channel.state, tx: events[0]?.txHash ?? '', events: events.map((event) => event.name) },
  })
  await wake(tx, { topic: 'channel', id: channel.id })
}

/** What a log means for a channel where it stands; null where it is known already. */
function eventOf(channel: Channel, event: EscrowEvent): ChannelEvent | null {
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
      return channel.withdrawableAt === withdrawableAt ? null : { type: 'notice', withdrawableAt }
    }
    case 'ChannelClosed':
      return { type: 'close', tx: event.txHash, total: sum('totalClaimed'), refunded: sum('refunded') }
    default:
      return null
  }
}
