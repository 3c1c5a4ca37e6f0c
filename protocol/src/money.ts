/** Money: base units of an asset, a decimal string on the wire and a bigint inside. Never a `number`. */
import { z } from 'zod'

/** Base units (1 USDC = "1000000"). No sign, no leading zeros, below 2^63: what a ledger row holds. */
export const BaseUnits = z
  .string()
  .regex(/^(0|[1-9]\d{0,18})$/)
  // Compared as text: this runs on what the pattern has refused, too.
  .refine((text) => text.length < 19 || (text.length === 19 && text <= '9223372036854775807'), 'more than a ledger row holds')
/** What the amounts are counted in, as CAIP-19: `eip155:<chain id>/erc20:0x…`, or `iso4217:USD` on the card rail. */
export const Asset = z.string().regex(/^(eip155:\d{1,16}\/erc20:0x[0-9a-f]{40}|iso4217:[A-Z]{3})$/)
export type Asset = string

export type Money = { readonly amount: bigint; readonly asset: Asset }
export const WireMoney = z.looseObject({ amount: BaseUnits, asset: Asset })
export type WireMoney = z.infer<typeof WireMoney>

/** Parts of a thousandth of a percent are rounded down: the fee never exceeds what was signed. */
export function feeOn(amount: bigint, feeBps: number): bigint {
  return (amount * BigInt(feeBps)) / 10_000n
}

/** The most that steps may sum to so that they and the fee on them fit into `total`. */
export function payableOf(total: bigint, feeBps: number): bigint {
  let payable = (total * 10_000n) / BigInt(10_000 + feeBps)
  while (payable + 1n + feeOn(payable + 1n, feeBps) <= total) payable += 1n
  return payable
}

/** "12.5" → 12500000n for 6 decimals. @throws {RangeError} with what is wrong, for showing to a person. */
export function parseAmount(text: string, decimals: number): bigint {
  const match = /^(\d{1,20})(?:[.](\d+))?$/.exec(text.trim())
  if (!match) throw new RangeError('Write an amount like 12.50, digits and one point only.')
  const fraction = match[2] ?? ''
  if (fraction.length > decimals) throw new RangeError(`At most ${decimals} digits after the point.`)
  return BigInt(match[1] ?? '0') * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')
}

/** 12500000n → "12.50" for 6 decimals: at least two digits after the point, none lost. */
export function formatAmount(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const fraction = digits
    .slice(digits.length - decimals)
    .replace(/0+$/, '')
    .padEnd(Math.min(2, decimals), '0')
  const whole = digits.slice(0, digits.length - decimals)
  return fraction ? `${sign}${whole}.${fraction}` : `${sign}${whole}`
}
