/** Arithmetic on base units, without a schema, so that a page can load it to show amounts. */

/** The market's fee (platform or application fee). Rounds down, so the fee never exceeds the signed one. */
export function feeOn(amount: bigint, feeBps: number): bigint {
  return (amount * BigInt(feeBps)) / 10_000n
}

/** The maximum sum of the steps: the steps and their fee fit into `total`. */
export function payableOf(total: bigint, feeBps: number): bigint {
  let payable = (total * 10_000n) / BigInt(10_000 + feeBps)
  while (payable + 1n + feeOn(payable + 1n, feeBps) <= total) payable += 1n
  return payable
}

/** A processor's fee for a card payment: basis points of the charge, and a fixed part in cents. */
export type CardFee = { readonly bps: number; readonly fixedCents: number }

/** The cents to charge on top of `cents` so that they cover the processor's fee on the whole charge. Rounded up. */
export function processingFeeOn(cents: bigint, fee: CardFee): bigint {
  const kept = 10_000n - BigInt(fee.bps)
  return (cents * BigInt(fee.bps) + BigInt(fee.fixedCents) * 10_000n + kept - 1n) / kept
}

/** "12.5" → 12500000n for 6 decimals. @throws {RangeError} with a sentence for a person. */
export function parseAmount(text: string, decimals: number): bigint {
  const match = /^(\d{1,20})(?:[.](\d+))?$/.exec(text.trim())
  if (!match) throw new RangeError('Write an amount with digits and at most one point, for example 12.50.')
  const fraction = match[2] ?? ''
  if (fraction.length > decimals) throw new RangeError(`Write at most ${decimals} digits after the point.`)
  return BigInt(match[1] ?? '0') * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')
}

/** 12500000n → "12.50" for 6 decimals: at least two digits after the point, and all significant ones. */
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
