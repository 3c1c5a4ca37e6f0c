import { voucherTypedData } from '@parley/protocol'
import { type Hex, isHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { PublicMarket } from '../_components/market-provider.tsx'
import type { Translate } from '../_messages/translate-types.ts'

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
  t: Translate<'calls.callForm'>,
): Promise<Hex> {
  const key = localStorage.getItem(keyName(authorizer))
  if (!isHex(key) || market.channels === null) throw new Error(t('browserHasNoKey'))
  const at = { chainId: market.chainId, channels: market.channels }
  return privateKeyToAccount(key).signTypedData(voucherTypedData(at, { channelId, maxClaimableAmount: amount }))
}

export function makeSalt(): Hex {
  return generatePrivateKey()
}
