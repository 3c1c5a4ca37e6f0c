import type { CloseChannel } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { channelNotClient } from '../errors.ts'
import { advanceChannel } from './channel.ts'
import { isPayingSide, lockChannel, saveChannel } from './channel-store.ts'
import { payingWallet } from './quote-channel.ts'

/**
 * The client, or the agent that opened the channel for it, closes the channel and takes the remaining deposit back. The
 * channel accepts no further calls. After the last open call, one transaction pays the publisher and refunds the client. Idempotent.
 */
export async function closeChannel(ctx: Context, input: CloseChannel): Promise<{ channel_id: string; state: string }> {
  await permit(ctx, 'channel.close')
  const { did } = payingWallet(ctx)
  return inTransaction(ctx, async (tx) => {
    const channel = await lockChannel(tx, input.channel_id)
    if (!(await isPayingSide(tx, channel))) throw channelNotClient(did)
    const isAsked = channel.state === 'closed' || (channel.state === 'closing' && channel.failure === null)
    if (isAsked) return { channel_id: channel.id, state: channel.state }
    await requireNotFrozen(tx, { channelId: channel.id })
    const next = advanceChannel(channel, { type: 'request_close' })
    await saveChannel(tx, next)
    await appendAudit(tx, {
      stream: channelAuditStreamName(channel.id),
      action: 'channel.close',
      before: { state: channel.state },
      after: { state: next.state },
    })
    await enqueue(tx, { type: 'channel.closing', channel_id: channel.id })
    await sendSignal(tx, { topic: 'channel', id: channel.id })
    return { channel_id: channel.id, state: next.state }
  })
}
