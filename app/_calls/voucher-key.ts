import { voucherTypedData } from '@parley/protocol'
import { type Hex, hexToBigInt, isHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { channelIdOf, topUpNonceOf } from '../../contracts/abi/channels.ts'
import type { PublicMarket } from '../_components/market-provider.tsx'
import type { Translate } from '../_messages/translate.ts'

/** A key of this browser signs vouchers, one key per channel. It never leaves the browser. */
const keyName = (address: string) => `parley.voucher-key.${address.toLowerCase()}`

export function makeVoucherKey(): Hex {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  localStorage.setItem(keyName(address), key)
  return address.toLowerCase() as Hex
}

/** Whether this browser can sign vouchers of a channel: only the one that opened it can. */
export function hasVoucherKey(authorizer: string): boolean {
  return isHex(localStorage.getItem(keyName(authorizer)))
}

/** @throws if this browser does not have the channel's key */
export async function signVoucher(
  market: PublicMarket,
  { authorizer, channelId, amount }: { readonly authorizer: string; readonly channelId: Hex; readonly amount: bigint },
  t: Translate<'calls.askForm'>,
): Promise<Hex> {
  const key = localStorage.getItem(keyName(authorizer))
  if (!isHex(key) || market.channels === null) throw new Error(t('browserHasNoKey'))
  const at = { chainId: market.chainId, channels: market.channels }
  return privateKeyToAccount(key).signTypedData(voucherTypedData(at, { channelId, maxClaimableAmount: amount }))
}

export function makeSalt(): Hex {
  return generatePrivateKey()
}

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

/** Whether the data to sign is exactly the requested channel: agent, wallet and deposit. */
export function isQuoteOf(market: PublicMarket, quote: Quote, wanted: Wanted): boolean {
  if (market.channels === null) return false
  const { config, typedData } = quote
  const { from, to, value, nonce } = typedData.message
  const same = (one: unknown, other: string) => String(one).toLowerCase() === other.toLowerCase()
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

type Asked = Quote['typedData'] & { readonly domain: { readonly verifyingContract?: unknown } }
type TopUp = { readonly payer: string; readonly channelId: Hex; readonly amount: bigint; readonly salt: string }

/** Whether the data to sign adds exactly this sum to this channel, from this wallet. */
export function isTopUpOf(market: PublicMarket, { domain, primaryType, message }: Asked, wanted: TopUp): boolean {
  if (market.channels === null) return false
  const same = (one: unknown, other: string) => String(one).toLowerCase() === other.toLowerCase()
  return (
    primaryType === 'ReceiveWithAuthorization' &&
    same(domain.verifyingContract, market.token) &&
    same(message.from, wanted.payer) &&
    same(message.to, market.channels) &&
    BigInt(String(message.value)) === wanted.amount &&
    same(message.nonce, topUpNonceOf(wanted.channelId, wanted.salt as Hex))
  )
}
