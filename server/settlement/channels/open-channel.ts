import type { ChannelConfig, OpenChannel } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import type { AuthorizationWindow, Eip712TypedData } from '../../ports.ts'
import { getListing } from '../../registry/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { countAttempts } from '../chain/create-transaction-intent.ts'
import { channelAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { channelNotQuoted, channelNotSigned, channelWrongState, holdBalanceTooLow } from '../errors.ts'
import { backfillChannelEvents, blockIndexer } from './backfill-channel-events.ts'
import { advanceChannel, type Channel, type OpeningAuthorization } from './channel.ts'
import { isOwnChannelSalt } from './channel-salt.ts'
import { loadChannel, lockChannel, saveChannel } from './channel-store.ts'
import { channelConfigFor, payingWallet } from './quote-channel.ts'

type Opened = { channel_id: string; state: string }

/** Maximum validity of a signature. A longer one would be a risk if it leaked. Seconds. */
const maxValiditySeconds = 86_400

/**
 * Accepts the payer's signature over a new channel. A job moves the money afterwards. Idempotent. Queries the wallet and the chain
 * before the database transaction, so that no lock waits for them. If another party already opened the channel at the contract,
 * applies those events with the new row.
 */
export async function openChannel(ctx: Context, input: OpenChannel): Promise<Opened> {
  await permit(ctx, 'channel.open')
  const payer = payingWallet(ctx)
  const known = await ctx.db.channel.findUnique({ where: { clientId_salt: { clientId: payer.did, salt: input.salt } } })
  const earlier = known && (await loadChannel(ctx, known.id))
  if (earlier) await requireSameTerms(ctx, input, payer.did)
  if (earlier && isUnderway(ctx, earlier)) return { channel_id: earlier.id, state: earlier.state }
  const config = await channelConfigFor(ctx, input)
  if (!earlier && !(await isOwnChannelSalt(ctx, input.salt, { payer: payer.address, agentId: input.agent_id }))) throw channelNotQuoted()
  const id = ctx.ports.rail.channelId(config)
  if (earlier && (earlier.id !== id || earlier.deposit !== BigInt(input.deposit))) throw channelWrongState('of other terms', 'be signed')
  const authorization = await requirePayerSignature(ctx, config.payer, input, (window) =>
    ctx.ports.rail.openingTypedData(config, BigInt(input.deposit), window),
  )
  const isOnChain = (await ctx.ports.rail.channel(id)).status !== 0
  const balance = await ctx.ports.rail.balanceOf(config.payer)
  if (!isOnChain && balance < BigInt(input.deposit)) throw holdBalanceTooLow(ctx.market, balance, BigInt(input.deposit))
  if ((await getListing(ctx, input.agent_id)).withdrawn_at !== null) throw channelWrongState('of a withdrawn listing', 'open')

  return inTransaction(ctx, async (tx) => {
    await blockIndexer(tx)
    await requireSameTerms(tx, input, payer.did)
    await insertChannel(tx, { id, config, input, clientId: payer.did })
    const channel = await lockChannel(tx, id)
    if (isUnderway(tx, channel) && !isFresh(channel)) return { channel_id: id, state: channel.state }
    const attempt = (await countAttempts(tx, openingKey(id))) + 1
    const next = advanceChannel(channel, { type: 'sign', authorization: { ...authorization, attempt } })
    await saveChannel(tx, next)
    await appendAudit(tx, {
      stream: channelAuditStreamName(id),
      action: 'channel.open',
      before: { state: channel.state },
      after: { state: next.state, agent_id: channel.agentId, deposit: channel.deposit, receiver: config.receiver },
    })
    await enqueue(tx, { type: 'channel.opening', channel_id: id })
    await sendSignal(tx, { topic: 'channel', id })
    await backfillChannelEvents(tx, id)
    return { channel_id: id, state: (await loadChannel(tx, id)).state }
  })
}

/** Another signature over the same terms counts as the same request. @throws request.id_reused */
async function requireSameTerms(tx: Context, { type, agent_id, deposit, authorizer, salt }: OpenChannel, payer: string): Promise<void> {
  await claimIdempotencyKey(tx, salt, { type, agent_id, deposit, authorizer: authorizer.toLowerCase() }, payer)
}

/** Idempotency key of the opening transaction. */
export function openingKey(id: string): string {
  return `open:${id}`
}

/** Whether a repeated request has nothing left to do: a valid signature is stored, or the channel is funded. */
function isUnderway(ctx: Context, channel: Channel): boolean {
  if (channel.state === 'opening') return channel.authorization.validBefore > seconds(ctx.clock.now())
  return channel.state !== 'failed'
}

/** Whether this transaction has just inserted the row. */
function isFresh(channel: Channel): boolean {
  return channel.state === 'opening' && channel.authorization.attempt === 0
}

async function insertChannel(
  tx: Context,
  { id, config, input, clientId }: { id: string; config: ChannelConfig; input: OpenChannel; clientId: string },
): Promise<void> {
  const { payerAuthorizer: authorizer, receiverAuthorizer: settler, ...columns } = config
  const now = tx.clock.now()
  const { asset, chainId, channels } = tx.market
  const unsigned: OpeningAuthorization = { validAfter: 0, validBefore: input.valid_before, signature: '0x', attempt: 0 }
  await tx.db.channel.createMany({
    data: [
      {
        ...columns,
        id,
        state: 'opening',
        asset,
        chainId,
        contract: channels ?? '',
        clientId,
        agentId: input.agent_id,
        openerId: tx.actor.kind === 'agent' ? tx.actor.agentId : null,
        authorizer,
        settler,
        deposit: BigInt(input.deposit),
        authorization: unsigned,
        createdAt: now,
        updatedAt: now,
      },
    ],
    skipDuplicates: true,
  })
}

/** Verifies the payer's signature and that it is valid for at most a day. @throws channel.signature_invalid */
export async function requirePayerSignature(
  ctx: Context,
  payer: `0x${string}`,
  input: Pick<OpenChannel, 'valid_before' | 'signature'>,
  typedDataOf: (window: AuthorizationWindow) => Eip712TypedData,
): Promise<Omit<OpeningAuthorization, 'attempt'>> {
  const now = seconds(ctx.clock.now())
  const window = { validAfter: 0, validBefore: input.valid_before }
  const signature = input.signature as `0x${string}`
  const isInTime = window.validBefore > now && window.validBefore <= now + maxValiditySeconds
  const typedData = typedDataOf(window)
  if (isInTime && (await ctx.ports.verifyWallet.typedData({ address: payer, typedData, signature }))) return { ...window, signature }
  throw channelNotSigned(payer)
}
