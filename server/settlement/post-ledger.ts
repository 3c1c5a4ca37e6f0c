import type { Context } from '../context.ts'
import type { LedgerDraft } from './ledger.ts'

/** Posts a transfer unless one of its key stands; true where it did. The database refuses one that doesn't balance. */
export async function postLedger(tx: Context, draft: LedgerDraft, asset = tx.market.asset): Promise<boolean> {
  const id = tx.ids.next('led')
  const { entries, at, ...transfer } = draft
  const { count } = await tx.db.ledgerTransfer.createMany({
    data: [{ id, ...transfer, lines: entries.length, at: new Date(at * 1_000) }],
    skipDuplicates: true,
  })
  if (count === 0) return false
  await tx.db.ledgerEntry.createMany({
    data: entries.map((entry, index) => ({ transferId: id, line: index + 1, asset, ...entry })),
  })
  return true
}

/** What accounts hold: debits less credits. An account without entries is left out. */
export async function balancesOf(ctx: Context, accounts: readonly string[] | { readonly prefix: string }): Promise<Map<string, bigint>> {
  const where = 'prefix' in accounts ? { account: { startsWith: accounts.prefix } } : { account: { in: [...accounts] } }
  const sums = await ctx.db.ledgerEntry.groupBy({
    by: ['account'],
    where: { ...where, asset: ctx.market.asset },
    _sum: { debit: true, credit: true },
  })
  return new Map(sums.map((sum) => [sum.account, (sum._sum.debit ?? 0n) - (sum._sum.credit ?? 0n)]))
}
