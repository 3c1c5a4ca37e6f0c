import type { Context } from '../../context.ts'
import type { CardEntry } from '../../ports.ts'
import type { StatementLine } from './match-statement-lines.ts'

/** Source of Stripe's balance transactions since a time (Unix seconds). */
export type StripeStatementSource = { listEntries(unixSeconds: number): Promise<readonly CardEntry[]> }

/** Balance transactions that concern no hold: the platform's own payouts and fees. */
const foreignKinds = new Set(['payout', 'payout_cancel', 'payout_failure', 'stripe_fee', 'stripe_fx_fee', 'topup', 'topup_reversal'])
const microsPerCent = 10_000n
const outside = /^(client|payee|wallet|dispute|processing):/

/** Stripe's statement by object id. Charges are listed by their payment intent. */
export async function readStripeStatement(ctx: Context, book: StripeStatementSource, sinceSeconds: number): Promise<StatementLine[]> {
  const entries = (await book.listEntries(sinceSeconds)).filter((entry) => !foreignKinds.has(entry.kind))
  const charges = entries.map((entry) => entry.reference).filter((reference) => reference.startsWith('ch_') || reference.startsWith('py_'))
  const paid = await ctx.db.cardPayment.findMany({
    where: { paidCharge: { in: charges } },
    select: { paidCharge: true, paidIntent: true },
  })
  const intentOf = new Map(paid.map((one) => [one.paidCharge, one.paidIntent]))
  return addUp(entries.map(({ reference, amount, fee }) => [intentOf.get(reference) ?? reference, amount - fee] as const))
}

/** Stripe's balance changes by object according to the ledger, in cents. Omits moves between our own accounts. */
export function draftStripeStatement(
  transfers: readonly {
    readonly tx: string | null
    readonly entries: readonly { readonly account: string; readonly debit: bigint; readonly credit: bigint }[]
  }[],
): StatementLine[] {
  return addUp(
    transfers.map(({ tx, entries }) => {
      const out = entries.filter((entry) => outside.test(entry.account)).reduce((sum, entry) => sum + entry.debit - entry.credit, 0n)
      return [tx ?? '', -out / microsPerCent] as const
    }),
  )
}

function addUp(amounts: readonly (readonly [key: string, amount: bigint])[]): StatementLine[] {
  const sums = new Map<string, bigint>()
  for (const [key, amount] of amounts) sums.set(key, (sums.get(key) ?? 0n) + amount)
  return [...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => ({ key, lines: `${sum} cents` }))
}
