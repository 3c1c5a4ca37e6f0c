import { feeOn } from '@parley/protocol'
import { amountNotPayable } from '../errors.ts'

/** Decimals of dollar amounts everywhere but at Stripe. A market whose token has other decimals takes no cards. */
export const cardDecimals = 6
/** Base units per cent. */
const unitsPerCent = 10_000n

/** Stripe's minimum for a charge, and our maximum. */
const minCents = 50n
const maxCents = 99_999_999n

/** Converts an amount to cents. @throws goal.budget_invalid if it has fractions of a cent, or is outside the limits of a card charge */
export function wholeCents(amount: bigint): bigint {
  if (amount % unitsPerCent !== 0n) throw amountNotPayable('A card is charged whole cents.', amount)
  const cents = amount / unitsPerCent
  if (cents < minCents) throw amountNotPayable('A card is charged 50 cents at least.', amount)
  if (cents > maxCents) throw amountNotPayable('A card is charged 999,999.99 dollars at most.', amount)
  return cents
}

export function fromCents(cents: bigint): bigint {
  return cents * unitsPerCent
}

export type Allocation = { readonly shares: ReadonlyMap<string, bigint>; readonly fee: bigint; readonly refund: bigint }

/**
 * Allocates the charged cents by the largest remainder method, so that the sum is exact. `owed`: by publisher, in base units. The
 * fee is rounded down. Each publisher, and the client for the refund, gets whole cents. The remaining cents go one by one to the
 * largest remainders; ties go to publishers by name, then to the client. So each allocation differs from the exact amount by less
 * than a cent.
 */
export function allocateCents(totalCents: bigint, feeBps: number, owed: ReadonlyMap<string, bigint>): Allocation {
  const sum = [...owed.values()].reduce((all, amount) => all + amount, 0n)
  const exactFee = feeOn(sum, feeBps)
  const rest = totalCents * unitsPerCent - sum - exactFee
  if (rest < 0n) throw new Error('the steps and the fee on them come to more than was charged')
  const fee = exactFee / unitsPerCent
  const parties = [
    ...[...owed].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, amount]) => ({ name, amount })),
    { name: null, amount: rest },
  ].map((party) => ({ ...party, cents: party.amount / unitsPerCent, part: party.amount % unitsPerCent }))
  let left = totalCents - fee - parties.reduce((all, party) => all + party.cents, 0n)
  for (const party of parties.toSorted((a, b) => (a.part === b.part ? 0 : a.part > b.part ? -1 : 1))) {
    if (left === 0n || party.part === 0n) break
    party.cents += 1n
    left -= 1n
  }
  const shares = new Map(parties.slice(0, -1).map((party) => [party.name ?? '', party.cents]))
  return { shares, fee, refund: parties.at(-1)?.cents ?? 0n }
}
