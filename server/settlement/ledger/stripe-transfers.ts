import type { Context } from '../../context.ts'
import { fromCents } from './cents.ts'
import { type Account, type Move, netEntries } from './ledger.ts'
import { postLedgerTransfer } from './ledger-store.ts'

export const usd = 'iso4217:USD'

/**
 * Accounts of the card rail, beside those of people: `card:<goal>` is what lies with Stripe for the goal, `dispute:<goal>`
 * what its client's bank has taken meanwhile, `loss:<goal>` what that has cost us, below zero.
 */
export function cardAccounts(goalId: string): { readonly held: Account; readonly disputed: Account; readonly loss: Account } {
  return { held: `card:${goalId}` as Account, disputed: `dispute:${goalId}` as Account, loss: `loss:${goalId}` as Account }
}

export type CardTransfer = {
  /** Names what is posted, once. */
  readonly key: string
  readonly goalId: string
  readonly memo: string
  /** Stripe's object. */
  readonly tx: string
  readonly moves: readonly { readonly from: Account; readonly to: Account; readonly cents: bigint }[]
}

/** Posts a movement of dollars, once; true where it was not there yet. */
export async function postCardTransfer(tx: Context, transfer: CardTransfer): Promise<boolean> {
  const { moves, ...rest } = transfer
  const entries = netEntries(moves.map(({ cents, ...move }): Move => ({ ...move, amount: fromCents(cents) })))
  if (entries.length === 0) return false
  return postLedgerTransfer(tx, { ...rest, at: Math.floor(tx.clock.now().getTime() / 1_000), entries }, usd)
}

/**
 * Stripe keeps a fee: for a payment, or for handling a dispute. The platform bears it out of the processing fee that clients
 * pay, so `platform:stripe` is below zero only by what that did not cover.
 */
export async function postProcessingFee(
  tx: Context,
  fee: { readonly key: string; readonly goalId: string; readonly tx: string; readonly cents: bigint },
): Promise<void> {
  const { cents, ...transfer } = fee
  await postCardTransfer(tx, {
    ...transfer,
    memo: 'Stripe keeps its fee.',
    moves: [{ from: 'platform:stripe', to: 'processing:stripe', cents }],
  })
}

/** What a card account holds, in cents. */
export async function getCentBalance(ctx: Context, account: Account): Promise<bigint> {
  const { _sum } = await ctx.db.ledgerEntry.aggregate({ where: { account, asset: usd }, _sum: { debit: true, credit: true } })
  return ((_sum.debit ?? 0n) - (_sum.credit ?? 0n)) / fromCents(1n)
}
