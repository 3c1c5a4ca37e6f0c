/** Checks of the data that the server asks the wallet to sign: whether it is what the person has chosen. */
import { type Hex, hexToBigInt } from 'viem'
import { channelIdOf, topUpNonceOf } from '../../contracts/abi/channel-ids-and-codes.ts'
import type { PublicMarket } from '../_components/market-provider.tsx'

type Config = Parameters<typeof channelIdOf>[1]
type Wanted = {
  readonly payer: string
  readonly receiver: string
  readonly authorizer: string
  readonly deposit: bigint
}
type Quote = {
  readonly channel_id: string
  readonly config: Config
  readonly typedData: { readonly primaryType: string; readonly message: { readonly [field: string]: unknown } }
}

const same = (one: unknown, other: string) => String(one).toLowerCase() === other.toLowerCase()

/** Whether the data to sign is exactly the requested channel: agent, wallet and deposit. */
export function isRequestedChannel(market: PublicMarket, quote: Quote, wanted: Wanted): boolean {
  if (market.channels === null) return false
  const { config, typedData } = quote
  const { from, to, value, nonce } = typedData.message
  return (
    typedData.primaryType === 'ReceiveWithAuthorization' &&
    same(from, wanted.payer) &&
    same(config.payer, wanted.payer) &&
    same(to, market.channels) &&
    same(config.receiver, wanted.receiver) &&
    same(config.payerAuthorizer, wanted.authorizer) &&
    same(config.token, market.token) &&
    BigInt(String(value)) === wanted.deposit &&
    same(nonce, channelIdOf({ chainId: market.chainId, channels: market.channels }, config)) &&
    hexToBigInt(quote.channel_id as Hex) === hexToBigInt(String(nonce) as Hex)
  )
}

type TopUpData = Quote['typedData'] & { readonly domain: { readonly verifyingContract?: unknown } }
type TopUp = { readonly payer: string; readonly channelId: Hex; readonly amount: bigint; readonly salt: string }

/** Whether the data to sign adds exactly this sum to this channel, from this wallet. */
export function isRequestedTopUp(market: PublicMarket, { domain, primaryType, message }: TopUpData, wanted: TopUp): boolean {
  if (market.channels === null) return false
  return (
    primaryType === 'ReceiveWithAuthorization' &&
    same(domain.verifyingContract, market.token) &&
    same(message.from, wanted.payer) &&
    same(message.to, market.channels) &&
    BigInt(String(message.value)) === wanted.amount &&
    same(message.nonce, topUpNonceOf(wanted.channelId, wanted.salt as Hex))
  )
}
