import type { ChannelConfig } from '@parley/protocol'
import { type Context, mayOperate } from '../../context.ts'
import { getListing } from '../../registry/index.ts'
import { liveStates } from '../chain/transaction.ts'
import { findFrozenSince } from '../chain-events/frozen-subjects.ts'
import { channelNotClient, channelNoWallet } from '../errors.ts'
import { type Channel, earnedAmount, exposureOf, isFundedChannel, unclaimedAmount } from './channel.ts'
import { channelFromRowForDisplay, isPayingSide, loadChannelForDisplay } from './channel-store.ts'
import { depositAndClaimLimits } from './deposit-and-claim-limits.ts'
import { hasRefusedClaim } from './require-exposure-within-limit.ts'

/** A channel as its payer and its publisher see it. Amounts in base units. */
export type ChannelView = {
  readonly id: `0x${string}`
  readonly state: Channel['state']
  readonly agentId: string
  readonly handle: string
  readonly name: string
  readonly clientId: string
  readonly authorizer: string
  readonly receiver: string
  readonly deposit: bigint
  readonly earned: bigint
  readonly claimed: bigint
  readonly unclaimed: bigint
  /** Whether the unclaimed amount is high enough for a claim on request. */
  readonly isClaimable: boolean
  /** The amount that the publisher would lose if no further claim succeeded: unclaimed earnings and the open call. Base units. */
  readonly exposure: bigint
  /** Maximum exposure of this channel. Above it the next call waits for a claim. */
  readonly exposureLimit: bigint
  /** Maximum exposure of all channels between this payer and this publisher. */
  readonly payerExposureLimit: bigint
  /** The contract rejected a claim and none has succeeded since, so the channel accepts no calls. */
  readonly isClaimRefused: boolean
  readonly isCallOpen: boolean
  readonly refunded: bigint | null
  /** Unix seconds: when the payer can withdraw after its own close request on chain. */
  readonly withdrawableAt: number | null
  readonly failure: string | null
  /** An event could not be applied. The server takes no new action until an operator resolves it. */
  readonly frozenSince: Date | null
  /** The pending on-chain action. */
  readonly underway: 'open' | 'top_up' | 'claim' | 'close' | null
  /** The pending top-up, or the reason why it failed. */
  readonly topUp: { readonly amount: bigint; readonly failure: string | null } | null
  readonly openedTx: string | null
  readonly closedTx: string | null
  readonly createdAt: Date
  readonly config: ChannelConfig
  /** The highest earned voucher. It lets the publisher claim on chain without the server. Visible to the publisher and operators. */
  readonly voucher: { readonly amount: bigint; readonly signature: `0x${string}` } | null
}

const maxChannels = 200

/** Channels of the signed-in person, newest first: those that it pays, or those in which its agents earn. */
export async function listChannels(ctx: Context, side: 'client' | 'publisher'): Promise<ChannelView[]> {
  const { actor } = ctx
  if (actor.kind !== 'person') throw channelNoWallet(actor.kind)
  const owned = async () =>
    (await ctx.db.listing.findMany({ where: { ownerId: actor.did }, select: { agentId: true } })).map((one) => one.agentId)
  const where = side === 'client' ? { clientId: actor.did } : { agentId: { in: await owned() } }
  const rows = await ctx.db.channel.findMany({ where, orderBy: { createdAt: 'desc' }, take: maxChannels })
  return Promise.all(rows.map((row) => viewChannel(ctx, channelFromRowForDisplay(row), side === 'publisher')))
}

/** @throws channel.not_found; permission.denied for all but its client, the agent that opened it, its agent and that one's owner, operators */
export async function getChannel(ctx: Context, id: string): Promise<ChannelView> {
  const channel = await loadChannelForDisplay(ctx, id)
  const { actor } = ctx
  const isOurs = mayOperate(ctx)
  const who = 'did' in actor ? actor.did : actor.kind
  const isAgent = actor.kind === 'agent' && actor.agentId === channel.agentId
  const isPublisher = isOurs || isAgent || (await getListing(ctx, channel.agentId)).owner_id === who
  if (!isPublisher && !(await isPayingSide(ctx, channel))) throw channelNotClient(who)
  return viewChannel(ctx, channel, isPublisher)
}

async function viewChannel(ctx: Context, channel: Channel, isPublisher: boolean): Promise<ChannelView> {
  const [listing, live, isClaimRefused, frozenSince] = await Promise.all([
    ctx.db.listing.findUniqueOrThrow({ where: { agentId: channel.agentId }, select: { handle: true, name: true } }),
    ctx.db.chainTransaction.findFirst({
      where: { channelId: channel.id, state: { in: [...liveStates, 'final'] } },
      select: { purpose: true },
    }),
    hasRefusedClaim(ctx, channel),
    findFrozenSince(ctx, { channelId: channel.id }),
  ])
  const funded = isFundedChannel(channel) ? channel : null
  const unclaimed = funded ? unclaimedAmount(funded) : 0n
  return {
    ...listing,
    id: channel.id,
    state: channel.state,
    agentId: channel.agentId,
    clientId: channel.clientId,
    authorizer: channel.config.payerAuthorizer,
    receiver: channel.config.receiver,
    deposit: channel.deposit,
    earned: funded ? earnedAmount(funded) : 0n,
    claimed: funded?.claimed ?? 0n,
    unclaimed,
    isClaimable: unclaimed >= depositAndClaimLimits(ctx.market.decimals).minClaim,
    exposure: exposureOf(channel),
    exposureLimit: ctx.market.exposure.perChannel,
    payerExposureLimit: ctx.market.exposure.perPayer,
    isClaimRefused,
    isCallOpen: funded !== null && funded.pending !== null,
    refunded: channel.state === 'closed' ? channel.refunded : null,
    withdrawableAt: funded?.withdrawableAt ?? null,
    failure: 'failure' in channel ? channel.failure : null,
    frozenSince,
    underway: (live?.purpose ?? null) as ChannelView['underway'],
    topUp: funded?.topUp ? { amount: funded.topUp.amount, failure: funded.topUp.failure } : null,
    openedTx: funded?.openedTx ?? null,
    closedTx: channel.state === 'closed' ? channel.closedTx : null,
    createdAt: channel.createdAt,
    config: channel.config,
    voucher: isPublisher && unclaimed > 0n ? (funded?.earned ?? null) : null,
  }
}
