/** Money: base units of an asset, a decimal string on the wire and a bigint inside. Never a `number`. */
import { z } from 'zod'

const baseUnitsFault = 'Send base units below 2^63, as a string of digits without a point. With 6 decimals, "10000000" is 10.00.'

/** Base units (1 USDC = "1000000"). No sign, no leading zeros, below 2^63, which is the limit of a ledger row. */
export const BaseUnits = z
  .string()
  .regex(/^(0|[1-9]\d{0,18})$/, baseUnitsFault)
  // Compared as text, because this also runs on values that the pattern rejected.
  .refine((text) => text.length < 19 || (text.length === 19 && text <= '9223372036854775807'), baseUnitsFault)
/** The asset of the amounts, as CAIP-19: `eip155:<chain id>/erc20:0x…`, or `iso4217:USD` for cards. */
export const Asset = z.string().regex(/^(eip155:\d{1,16}\/erc20:0x[0-9a-f]{40}|iso4217:[A-Z]{3})$/)
export type Asset = string

/** An amount in code: base units of `asset`. */
export type Money = { readonly amount: bigint; readonly asset: Asset }
/** An amount on the wire: a decimal string of base units, and its asset. */
export const WireMoney = z.looseObject({ amount: BaseUnits, asset: Asset })
export type WireMoney = z.infer<typeof WireMoney>
