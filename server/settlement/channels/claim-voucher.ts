import type { ClaimVoucher } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { getListing } from '../../registry/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { channelNotPublisher } from '../errors.ts'
import { advanceChannel, isFundedChannel, unclaimedAmount } from './channel.ts'
import { loadChannel, lockChannel, saveChannel } from './channel-store.ts'
import { depositAndClaimLimits } from './deposit-and-claim-limits.ts'

/**
 * The publisher requests a claim of all earned vouchers. A job sends the claim at the server's expense. The contract's event
 * confirms it. Idempotent while nothing more is earned.
 */
export async function claimVoucher(ctx: Context, input: ClaimVoucher): Promise<{ channel_id: string; amount: string; state: string }> {
  await permit(ctx, 'voucher.claim')
  const { agentId } = await loadChannel(ctx, input.channel_id)
  const owner = (await getListing(ctx, agentId)).owner_id
  const who = ctx.actor.kind === 'person' ? ctx.actor.did : ctx.actor.kind
  if (who !== owner && ctx.actor.kind !== 'system') throw channelNotPublisher(who)
  return inTransaction(ctx, async (tx) => {
    const channel = await lockChannel(tx, input.channel_id)
    await requireNotFrozen(tx, { channelId: input.channel_id })
    const amount = isFundedChannel(channel) ? unclaimedAmount(channel) : 0n
    const answer = { channel_id: channel.id, amount: amount.toString(), state: channel.state }
    // A closing channel claims automatically.
    const isUnderway = isFundedChannel(channel) && channel.failure === null && channel.claimRequested >= channel.claimed + amount
    if (amount > 0n && (isUnderway || (channel.state === 'closing' && isFundedChannel(channel) && channel.failure === null))) return answer
    await saveChannel(tx, advanceChannel(channel, { type: 'request_claim', limits: depositAndClaimLimits(tx.market.decimals) }))
    await appendAudit(tx, { stream: channelAuditStreamName(channel.id), action: 'voucher.claim', after: { amount } })
    await enqueue(tx, { type: 'voucher.claiming', channel_id: channel.id })
    await sendSignal(tx, { topic: 'channel', id: channel.id })
    return answer
  })
}
