import { feeOn } from '@parley/protocol'
import { amountNotPayable } from '../errors.ts'

/** Amounts in dollars have as many decimals as the token everywhere but at Stripe; a token with others takes no cards. */
export const cardDecimals = 6
/** Base units of a US dollar to a cent. */
const unitsPerCent = 10_000n

/** What Stripe demands of a charge, and the most that we take in one. */
const minCents = 50n
const maxCents = 99_999_999n

/** An amount in cents. @throws goal.budget_invalid where it has parts of a cent, or is less or more than a card may be charged. */
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
 * Divides what was charged, in cents, so that nothing is left over and nothing is made up. `owed`: by publisher, in base
 * units. The fee loses its part of a cent. Everybody else, the client with what goes back included, gets the whole cents of
 * what they are owed; the cents that are then left go, one each, to those whose part of a cent is largest, publishers before
 * the client, then by name. So nobody is ever a whole cent away from what they are owed.
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
