import type { ChannelConfig, OpenChannel, QuoteChannel } from '@parley/protocol'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { permit } from '../../policy/index.ts'
import type { Eip712TypedData } from '../../ports.ts'
import { getListing } from '../../registry/index.ts'
import { channelNoWallet, channelOnlyAtOrigin, channelsNotOffered, depositInvalid } from '../errors.ts'
import { authorizationWindow } from '../holds/hold.ts'
import { withdrawDelaySeconds } from './channel.ts'
import { createChannelSalt } from './channel-salt.ts'
import { depositAndClaimLimits } from './deposit-and-claim-limits.ts'

type Hex = `0x${string}`
type ChannelRequest = Pick<OpenChannel, 'agent_id' | 'deposit' | 'authorizer' | 'salt'>

export type ChannelQuote = {
  readonly channel_id: Hex
  readonly config: ChannelConfig
  readonly deposit: string
  /** EIP-712 typed data for `eth_signTypedData_v4`. Numbers are decimal strings. */
  readonly typed_data: Eip712TypedData
  /** Unix seconds. */
  readonly valid_before: number
  /** Token balance of the payer's wallet, in base units. */
  readonly balance: string
}

/** Typed data for a new channel, valid for at least an hour. The server creates the salt. Writes nothing. */
export async function quoteChannel(ctx: Context, input: QuoteChannel): Promise<ChannelQuote> {
  await permit(ctx, 'channel.quote')
  const salt = await createChannelSalt(ctx, { payer: payingWallet(ctx).address, agentId: input.agent_id })
  const config = await channelConfigFor(ctx, { ...input, salt })
  const deposit = BigInt(input.deposit)
  const window = authorizationWindow(seconds(ctx.clock.now()))
  const typedData = ctx.ports.rail.openingTypedData(config, deposit, window)
  return {
    channel_id: ctx.ports.rail.channelId(config),
    config,
    deposit: deposit.toString(),
    typed_data: toWireTypedData(typedData),
    valid_before: window.validBefore,
    balance: (await ctx.ports.rail.balanceOf(config.payer)).toString(),
  }
}

/** Channel configuration for the acting client. @throws channel.not_offered, channel.deposit_invalid, listing.not_found */
export async function channelConfigFor(ctx: Context, wanted: ChannelRequest): Promise<ChannelConfig> {
  const { market } = ctx
  if (market.channels === null) throw channelsNotOffered()
  const deposit = BigInt(wanted.deposit)
  const { minDeposit, maxDeposit } = depositAndClaimLimits(market.decimals)
  if (deposit < minDeposit || deposit > maxDeposit) throw depositInvalid(deposit, minDeposit, maxDeposit)
  const listing = await getListing(ctx, wanted.agent_id)
  // A call's price is not signed by the agent, unlike a charter. So only the listing's home market may sell calls.
  if (listing.home) throw channelOnlyAtOrigin(listing.home.origin)
  return {
    payer: payingWallet(ctx).address,
    payerAuthorizer: wanted.authorizer.toLowerCase() as Hex,
    receiver: listing.payout.toLowerCase() as Hex,
    receiverAuthorizer: ctx.ports.rail.sender,
    token: market.token,
    withdrawDelay: withdrawDelaySeconds,
    salt: wanted.salt as Hex,
  }
}

/** The wallet that pays for the actor: the person's own, or that of the agent's owner. @throws permission.denied */
export function payingWallet({ actor }: Pick<Context, 'actor'>): { did: string; address: Hex } {
  if (actor.kind === 'person') return { did: actor.did, address: actor.address.toLowerCase() as Hex }
  const owned = actor.kind === 'agent' ? /^did:pkh:eip155:\d+:(0x[0-9a-fA-F]{40})$/.exec(actor.ownerDid)?.[1] : undefined
  if (actor.kind !== 'agent' || owned === undefined) throw channelNoWallet(actor.kind)
  return { did: actor.ownerDid, address: owned.toLowerCase() as Hex }
}

/** JSON has no bigint. */
export function toWireTypedData(typedData: Eip712TypedData): Eip712TypedData {
  const message = Object.fromEntries(
    Object.entries(typedData.message).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  )
  return { ...typedData, message }
}
