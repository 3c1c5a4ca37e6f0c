import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { DomainError } from '../../errors.ts'
import type { EscrowCall } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { raiseAlarmForError } from '../alarms/operator-alarms.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { maxRetryAt } from '../chain/retry-delay.ts'
import { type ChainTransaction, liveStates, type Purpose } from '../chain/transaction.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { backfillChannelEvents } from '../channels/backfill-channel-events.ts'
import { advanceChannel, type Channel, type ChannelCall, nextChainAction, nextChannelCall } from '../channels/channel.ts'
import { channelFromRow, lockChannel, saveChannel } from '../channels/channel-store.ts'
import { closeIdleChannelsAndRetryClaims } from '../channels/close-idle-channels-and-retry-claims.ts'
import { depositAndClaimLimits } from '../channels/deposit-and-claim-limits.ts'
import { openingKey } from '../channels/open-channel.ts'
import { topUpKey } from '../channels/top-up-channel.ts'
import { reindexIfChannelBehind } from '../indexer/reindex.ts'
import { submitTransaction } from './submit-transaction.ts'

/** Channel status codes of the contract: see `channelStatuses`. */
const [statusNone, statusOpen] = [0, 1]

/** Submits the next on-chain action of a channel: open, top up, claim or close. Runs after the channel's events and in every cycle. */
export async function submitChannelAction(ctx: Context, channelId: string): Promise<void> {
  if (ctx.market.channels === null) return
  await submitTransaction(ctx, async (tx) => {
    const channel = await lockChannel(tx, channelId)
    const wanted = nextChainAction(channel, depositAndClaimLimits(tx.market.decimals))
    if (wanted === null) return null
    const { status, claimed, deposit: held, closeRequestedAt } = await tx.ports.rail.channel(channel.id)
    if (channel.state === 'opening') {
      // Another party opened it with the payer's signature. The event confirms it.
      if (status !== statusNone) {
        await backfillChannelEvents(tx, channel.id)
        return null
      }
      const { attempt, ...authorization } = channel.authorization
      const { config, deposit } = channel
      const call: EscrowCall = { kind: 'openChannel', config, deposit, ...authorization }
      return createIntent(tx, channel, { key: openingKey(channel.id), purpose: 'open', call, attempts: attempt })
    }
    if (channel.state !== 'open' && channel.state !== 'closing') return null
    if (wanted === 'top_up' && channel.topUp !== null) {
      // It was topped up or closed in the meantime. The event will confirm it.
      if (status !== statusOpen || held !== channel.deposit) return null
      const { attempt, failure: _none, ...topUp } = channel.topUp
      const call: EscrowCall = { kind: 'topUpChannel', config: channel.config, ...topUp }
      return createIntent(tx, channel, { key: topUpKey(channel.id, topUp.salt), purpose: 'top_up', call, attempts: attempt })
    }
    // It was closed, or the publisher claimed directly. The event will confirm it.
    if (status !== statusOpen || claimed !== channel.claimed) return null
    const { timestamp } = await tx.ports.rail.head()
    const next = nextChannelCall(channel, { closeRequestedAt, now: timestamp })
    return next && createIntent(tx, channel, { ...effectOf(channel, next), attempts: channel.attempts })
  })
}

type Effect = { readonly key: string; readonly purpose: Purpose; readonly call: EscrowCall; readonly attempts: number }

function effectOf(channel: Channel, next: ChannelCall): Omit<Effect, 'attempts'> {
  const { id, config } = channel
  if (next.call === 'withdraw') return { key: `withdraw:${id}`, purpose: 'close', call: { kind: 'withdrawChannel', config } }
  const { amount } = next.voucher
  if (next.call === 'close')
    return { key: `close:${id}:${amount}`, purpose: 'close', call: { kind: 'closeChannel', config, ...next.voucher } }
  return { key: `claim:${id}:${amount}`, purpose: 'claim', call: { kind: 'claimVoucher', config, ...next.voucher } }
}

async function createIntent(tx: Context, channel: Channel, effect: Effect): Promise<ChainTransaction | null> {
  // One pending transaction per channel, because it changes what comes next.
  const others = await tx.db.chainTransaction.count({
    where: { channelId: channel.id, state: { in: [...liveStates, 'final'] }, NOT: { key: { startsWith: effect.key } } },
  })
  if (others > 0) return null
  const prepared = await createTransactionIntent(tx, { ...effect, goalId: null, channelId: channel.id, value: channel.deposit })
  if ('transaction' in prepared) return prepared.transaction
  const isOpening = channel.state === 'opening'
  const type = isOpening ? 'fail' : effect.purpose === 'top_up' ? 'reject_top_up' : 'refuse'
  const next = advanceChannel(channel, { type, failure: prepared.refused })
  await saveChannel(tx, next)
  await appendAudit(tx, {
    stream: channelAuditStreamName(channel.id),
    action: isOpening ? 'channel.fail' : 'channel.refuse',
    before: { state: channel.state },
    after: { state: next.state, purpose: effect.purpose, failure: prepared.refused },
  })
  if (isOpening) await enqueue(tx, { type: 'channel.failed', channel_id: channel.id })
  await sendSignal(tx, { topic: 'channel', id: channel.id })
  return null
}

/**
 * Submits due actions of all channels. Of too many, a random choice, so that those that must wait do not starve others. A failure of one does
 * not affect others.
 */
export async function submitDueChannelActions(ctx: Context): Promise<void> {
  const { chainId, channels } = ctx.market
  if (channels === null) return
  await closeIdleChannelsAndRetryClaims(ctx)
  const at = ctx.clock.now()
  const { timestamp } = await ctx.ports.rail.head()
  const limits = depositAndClaimLimits(ctx.market.decimals)
  const due = await ctx.db.$queryRaw<{ id: string }[]>`
    select c."id" from "channel" c
    where c."chainId" = ${chainId} and c."contract" = ${channels} and c."state" in ('opening', 'open', 'closing')
      and not exists (select 1 from "chain_dead_letter" f where f."channelId" = c."id" and f."state" = 'open')
      and (c."state" = 'opening' or (c."topUp" is not null and c."topUp"->>'failure' is null) or (c."failure" is null
        and case c."state"
          when 'open' then c."earned" - c."claimed" >= ${limits.autoClaimThreshold} or c."claimRequested" > c."claimed"
          else c."pendingAmount" is null and (c."earned" > c."claimed" or coalesce(c."withdrawableAt", 0) <= ${timestamp}) end))
      and not exists (select 1 from "chain_transaction" t where t."channelId" = c."id" and (
        t."state" in ('intent', 'rail_chosen', 'prepared', 'submitted', 'seen', 'reorged', 'final')
        or (t."state" = 'failed_retryable' and t."retryAt" > ${at} and t."retryAt" <= ${maxRetryAt(at)} and t."reopenedAt" is null)))
    order by random() limit 200`
  const rows = await ctx.db.channel.findMany({ where: { id: { in: due.map((one) => one.id) } }, orderBy: { updatedAt: 'asc' } })
  for (const channel of rows.map(channelFromRow)) {
    if (nextChainAction(channel, limits) === null) continue
    try {
      await reindexIfChannelBehind(ctx, channel)
      await submitChannelAction(ctx, channel.id)
    } catch (error) {
      await raiseAlarmForError(ctx, error)
      const isExpected = error instanceof DomainError
      ctx.log[isExpected ? 'warn' : 'error'](
        { event: 'channel.submission_failed', channel: channel.id, err: error },
        'A transaction of a channel was not submitted. The next cycle retries it.',
      )
    }
  }
}
