import type { TopUpChannel } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import type { AuthorizationWindow, Eip712TypedData } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { countAttempts } from '../chain/create-transaction-intent.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { channelNotClient, holdBalanceTooLow } from '../errors.ts'
import { authorizationWindow } from '../holds/hold.ts'
import { advanceChannel, type Channel, isFundedChannel } from './channel.ts'
import { loadChannel, lockChannel, saveChannel } from './channel-store.ts'
import { depositAndClaimLimits } from './deposit-and-claim-limits.ts'
import { requirePayerSignature } from './open-channel.ts'
import { payingWallet, toWireTypedData } from './quote-channel.ts'

type Hex = `0x${string}`
export type TopUpTerms = { readonly typedData: Eip712TypedData; readonly validBefore: number }
type TopUpRequest = Pick<TopUpChannel, 'channel_id' | 'amount' | 'salt'>

/** Idempotency key of the top-up transaction. */
export const topUpKey = (id: string, salt: string) => `top-up:${id}:${salt}`

/** Typed data for a top-up, valid for at least an hour. Writes nothing. */
export async function getTopUpTerms(ctx: Context, input: TopUpRequest): Promise<TopUpTerms> {
  const channel = await loadChannel(ctx, input.channel_id)
  requirePayer(ctx, channel)
  const window = authorizationWindow(seconds(ctx.clock.now()))
  return { typedData: toWireTypedData(typedDataOf(ctx, channel, input)(window)), validBefore: window.validBefore }
}

/**
 * Accepts the payer's signature over a top-up. The channel keeps accepting calls. A job moves the money afterwards. The salt makes
 * the top-up idempotent. Only the payer of the channel may top it up here.
 * @throws channel.not_found, channel.wrong_state, channel.deposit_invalid, channel.signature_invalid, hold.insufficient_funds
 */
export async function topUpChannel(ctx: Context, input: TopUpChannel): Promise<{ channel_id: string; state: string }> {
  await permit(ctx, 'channel.top_up')
  const known = await loadChannel(ctx, input.channel_id)
  requirePayer(ctx, known)
  const [amount, salt] = [BigInt(input.amount), input.salt as Hex]
  const key = topUpKey(known.id, salt)
  if (await isAlreadyRequested(ctx, known, key, salt)) return answerRepeated(ctx, input, known)
  const authorization = await requirePayerSignature(ctx, known.config.payer, input, typedDataOf(ctx, known, input))
  const balance = await ctx.ports.rail.balanceOf(known.config.payer)
  if (balance < amount) throw holdBalanceTooLow(ctx.market, balance, amount)

  return inTransaction(ctx, async (tx) => {
    const channel = await lockChannel(tx, known.id)
    await requireNotFrozen(tx, { channelId: known.id })
    if (await isAlreadyRequested(tx, channel, key, salt)) return answerRepeated(tx, input, channel)
    await requireSameAmount(tx, input, channel)
    const attempt = (await countAttempts(tx, key)) + 1
    const next = advanceChannel(channel, {
      type: 'request_top_up',
      topUp: { ...authorization, attempt, amount, salt, failure: null },
      limits: depositAndClaimLimits(tx.market.decimals),
    })
    await saveChannel(tx, next)
    await appendAudit(tx, {
      stream: channelAuditStreamName(channel.id),
      action: 'channel.top_up',
      before: { deposit: channel.deposit },
      after: { amount, salt },
    })
    await enqueue(tx, { type: 'channel.topping_up', channel_id: channel.id })
    await sendSignal(tx, { topic: 'channel', id: channel.id })
    return { channel_id: channel.id, state: next.state }
  })
}

async function answerRepeated(ctx: Context, input: TopUpChannel, channel: Channel): Promise<{ channel_id: string; state: string }> {
  await requireSameAmount(ctx, input, channel)
  return { channel_id: channel.id, state: channel.state }
}

/** Another signature over the same amount counts as the same request. @throws request.id_reused */
async function requireSameAmount(tx: Context, { type, amount, salt }: TopUpChannel, channel: Channel): Promise<void> {
  await claimIdempotencyKey(tx, topUpKey(channel.id, salt), { type, amount }, channel.clientId)
}

function requirePayer(ctx: Context, channel: Channel): void {
  const { did } = payingWallet(ctx)
  if (channel.clientId !== did) throw channelNotClient(did)
}

/** Whether a top-up with this salt is pending or done. A failed one may be signed again. */
async function isAlreadyRequested(ctx: Context, channel: Channel, key: string, salt: Hex): Promise<boolean> {
  const topUp = isFundedChannel(channel) ? channel.topUp : null
  if (topUp?.salt === salt) return topUp.failure === null
  return (await countAttempts(ctx, key)) > 0
}

function typedDataOf(ctx: Context, { config }: Channel, { amount, salt }: TopUpRequest) {
  const topUp = { amount: BigInt(amount), salt: salt as Hex }
  return (window: AuthorizationWindow) => ctx.ports.rail.topUpTypedData(config, topUp, window)
}
