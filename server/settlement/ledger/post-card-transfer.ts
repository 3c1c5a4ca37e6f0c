import type { Context } from '../../context.ts'
import { fromCents } from './allocate-cents.ts'
import { type LedgerAccount, type Move, netEntries } from './ledger.ts'
import { postLedgerTransfer } from './ledger-store.ts'

export const usd = 'iso4217:USD'

/**
 * Ledger accounts of the card rail. `card:<goal>`: money at Stripe. `dispute:<goal>`: money that the client's bank holds during a
 * chargeback. `loss:<goal>`: our loss, negative.
 */
export function cardAccounts(goalId: string): {
  readonly held: LedgerAccount
  readonly disputed: LedgerAccount
  readonly loss: LedgerAccount
} {
  return {
    held: `card:${goalId}` as LedgerAccount,
    disputed: `dispute:${goalId}` as LedgerAccount,
    loss: `loss:${goalId}` as LedgerAccount,
  }
}

export type CardTransfer = {
  /** Idempotency key. */
  readonly key: string
  readonly goalId: string
  readonly memo: string
  /** Id of Stripe's object. */
  readonly tx: string
  readonly moves: readonly { readonly from: LedgerAccount; readonly to: LedgerAccount; readonly cents: bigint }[]
}

/** Posts a dollar transfer once; true if it was new. */
export async function postCardTransfer(tx: Context, transfer: CardTransfer): Promise<boolean> {
  const { moves, ...rest } = transfer
  const entries = netEntries(moves.map(({ cents, ...move }): Move => ({ ...move, amount: fromCents(cents) })))
  if (entries.length === 0) return false
  return postLedgerTransfer(tx, { ...rest, at: Math.floor(tx.clock.now().getTime() / 1_000), entries }, usd)
}

/**
 * Posts a fee that Stripe keeps, for a payment or a dispute. The clients' processing fees cover it, so `platform:stripe` is
 * negative only by the uncovered part.
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

/** Balance of a card account in cents. */
export async function getCentBalance(ctx: Context, account: LedgerAccount): Promise<bigint> {
  const { _sum } = await ctx.db.ledgerEntry.aggregate({ where: { account, asset: usd }, _sum: { debit: true, credit: true } })
  return ((_sum.debit ?? 0n) - (_sum.credit ?? 0n)) / fromCents(1n)
}
