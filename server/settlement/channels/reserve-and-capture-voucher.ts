import type { Context } from '../../context.ts'
import { sendSignal } from '../../signals/signal.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { channelNotClient, channelReceiverChanged, channelsNotOffered, voucherNotSigned, voucherWrongAmount } from '../errors.ts'
import { advanceChannel, type Channel, nextChainAction, nextVoucherAmount } from './channel.ts'
import { loadChannel, lockChannel, saveChannel } from './channel-store.ts'
import { depositAndClaimLimits } from './deposit-and-claim-limits.ts'
import { payingWallet } from './quote-channel.ts'
import { requestClaimsIfExposureExceeded, requireExposureWithinLimit, requireNoRefusedClaim } from './require-exposure-within-limit.ts'

type Hex = `0x${string}`
export type OfferedVoucher = { readonly channelId: string; readonly price: bigint; readonly amount: bigint; readonly signature: Hex }

/** The channel, if the actor may call through it. @throws channel.not_found, permission.denied */
export async function requireOwnChannel(ctx: Context, channelId: string): Promise<Channel> {
  const channel = await loadChannel(ctx, channelId)
  const { did } = payingWallet(ctx)
  if (channel.clientId !== did) throw channelNotClient(did)
  return channel
}

/**
 * Verifies that the contract would pay this voucher for a call with this price. Runs before the database transaction, because it
 * may request claims. `payout`: current payout address of the agent.
 * @throws channel.wrong_state, channel.claim_refused, channel.exposure_reached, call.already_open, voucher.invalid
 */
export async function verifyVoucher(ctx: Context, channel: Channel, voucher: OfferedVoucher, payout: string): Promise<void> {
  if (ctx.market.channels === null) throw channelsNotOffered()
  if (channel.config.receiver !== payout.toLowerCase()) throw channelReceiverChanged(channel.config.receiver, payout)
  const expected = nextVoucherAmount(channel, voucher.price)
  if (voucher.amount !== expected) throw voucherWrongAmount(voucher.amount, expected)
  const { amount, signature } = voucher
  const authorizer = channel.config.payerAuthorizer
  const isPayable = await ctx.ports.rail.isVoucherSigned({ channelId: channel.id, authorizer, amount, signature })
  if (!isPayable) throw voucherNotSigned(authorizer)
  await requireNoRefusedClaim(ctx, channel)
  await requestClaimsIfExposureExceeded(ctx, channel, voucher.price)
}

/** Reserves a verified voucher for one call. A concurrent call in the same channel fails. */
export async function reserveVoucher(tx: Context, { channelId, price, amount, signature }: OfferedVoucher): Promise<void> {
  const channel = await lockChannel(tx, channelId)
  await requireNotFrozen(tx, { channelId })
  await requireNoRefusedClaim(tx, channel)
  await requireExposureWithinLimit(tx, channel, price)
  await saveChannel(tx, advanceChannel(channel, { type: 'reserve', price, voucher: { amount, signature } }))
  await sendSignal(tx, { topic: 'channel', id: channelId })
}

/** Captures the reserved voucher after the call was answered. True if it should be claimed now. */
export async function captureVoucher(tx: Context, channelId: string): Promise<boolean> {
  const next = advanceChannel(await lockChannel(tx, channelId), { type: 'capture', limit: tx.market.exposure.perChannel })
  await saveChannel(tx, next)
  await sendSignal(tx, { topic: 'channel', id: channelId })
  return nextChainAction(next, depositAndClaimLimits(tx.market.decimals)) !== null
}

/** Releases the reserved voucher and deletes its signature, because the call was not answered. */
export async function releaseVoucher(tx: Context, channelId: string): Promise<void> {
  await saveChannel(tx, advanceChannel(await lockChannel(tx, channelId), { type: 'release' }))
  await sendSignal(tx, { topic: 'channel', id: channelId })
}
