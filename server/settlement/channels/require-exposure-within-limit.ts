import { appendAudit } from '../../audit/index.ts'
import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { channelClaimRefused, exposureReached } from '../errors.ts'
import {
  advanceChannel,
  type Channel,
  earnedAmount,
  exposureOf,
  isExposureWithinLimit,
  isFundedChannel,
  unclaimedAmount,
} from './channel.ts'
import { channelFromRow, lockChannel, saveChannel } from './channel-store.ts'

/**
 * Rejects a call if the channel has a failed claim for at least the claimed sum, and no later claim succeeded. The rejection stays
 * while the server retries the claim.
 * @throws channel.claim_refused
 */
export async function requireNoRefusedClaim(ctx: Context, channel: Channel): Promise<void> {
  if (await hasRefusedClaim(ctx, channel)) throw channelClaimRefused(channel.id)
}

export async function hasRefusedClaim(ctx: Context, channel: Channel): Promise<boolean> {
  if (!isFundedChannel(channel) || channel.state === 'closed') return false
  if (channel.failure !== null) return true
  const failed = await ctx.db.chainTransaction.findMany({
    where: { channelId: channel.id, purpose: { in: ['claim', 'close'] }, state: { in: ['failed_retryable', 'failed_final'] } },
    select: { intent: true },
  })
  return failed.some(({ intent }) => BigInt((intent as { amount?: string } | null)?.amount ?? 0) > channel.claimed)
}

/**
 * Rejects a call that would exceed the credit limit per channel or per payer and publisher. The caller holds the channel's row
 * lock. The advisory lock keeps two channels from passing the check at once.
 * @throws channel.exposure_reached
 */
export async function requireExposureWithinLimit(tx: Context, channel: Channel, price: bigint): Promise<void> {
  await tx.db
    .$queryRaw`select pg_advisory_xact_lock(hashtextextended(${`exposure:${channel.clientId}:${channel.config.receiver}`}, 0))::text`
  const full = await findExceededLimit(tx, channel, price)
  if (full) throw exposureReached(full.exposure, full.limit)
}

/**
 * Checks the limit before the call's own transaction. If it is exceeded, requests claims first and then throws.
 * @throws channel.exposure_reached
 */
export async function requestClaimsIfExposureExceeded(ctx: Context, channel: Channel, price: bigint): Promise<void> {
  const full = await findExceededLimit(ctx, channel, price)
  if (!full) return
  for (const { id } of full.channels) await requestClaim(ctx, id)
  throw exposureReached(full.exposure, full.limit)
}

type ExceededLimit = { readonly exposure: bigint; readonly limit: bigint; readonly channels: readonly Channel[] }

async function findExceededLimit(ctx: Context, channel: Channel, price: bigint): Promise<ExceededLimit | null> {
  const { perChannel, perPayer } = ctx.market.exposure
  const own = exposureOf(channel)
  if (!isExposureWithinLimit(own, price, perChannel)) return { exposure: own, limit: perChannel, channels: [channel] }
  const all = await listOpenChannels(ctx, channel)
  const exposure = all.reduce((sum, one) => sum + exposureOf(one), 0n)
  return isExposureWithinLimit(exposure, price, perPayer) ? null : { exposure, limit: perPayer, channels: all }
}

/** All open channels between this payer and this publisher. */
async function listOpenChannels(ctx: Context, { clientId, config }: Channel): Promise<Channel[]> {
  const rows = await ctx.db.channel.findMany({ where: { clientId, receiver: config.receiver, state: { in: ['open', 'closing'] } } })
  return rows.map(channelFromRow)
}

/** Requests a claim of everything earned in a channel. Idempotent. */
async function requestClaim(ctx: Context, channelId: string): Promise<void> {
  await inTransaction(actingAs(ctx, { kind: 'system', name: 'jobs' }), async (tx) => {
    const channel = await lockChannel(tx, channelId)
    if (channel.state !== 'open' || unclaimedAmount(channel) === 0n || channel.claimRequested >= earnedAmount(channel)) return
    const next = advanceChannel(channel, { type: 'request_full_claim' })
    await saveChannel(tx, next)
    await appendAudit(tx, {
      stream: channelAuditStreamName(channelId),
      action: 'voucher.claim',
      after: { amount: unclaimedAmount(channel) },
    })
    await enqueue(tx, { type: 'voucher.claiming', channel_id: channel.id })
    await sendSignal(tx, { topic: 'channel', id: channelId })
  })
}
