import type { Context } from '../../context.ts'

export type LedgerLine = { readonly account: string; readonly asset: string; readonly debit: bigint; readonly credit: bigint }
export type LedgerTransfer = {
  readonly id: string
  readonly key: string
  readonly goalId: string | null
  readonly memo: string
  readonly tx: string | null
  readonly at: Date
  readonly entries: readonly LedgerLine[]
}

/** Ledger transfers, newest first: of one goal or several, of one account (`payee:0x…`), or all. */
export async function getLedger(
  ctx: Context,
  filter: { readonly account?: string; readonly goalId?: string; readonly goalIds?: readonly string[]; readonly limit?: number } = {},
): Promise<LedgerTransfer[]> {
  const { account, goalId, goalIds, limit = 200 } = filter
  const rows = await ctx.db.ledgerTransfer.findMany({
    where: {
      ...(goalId === undefined ? {} : { goalId }),
      ...(goalIds === undefined ? {} : { goalId: { in: [...goalIds] } }),
      ...(account === undefined ? {} : { entries: { some: { account } } }),
    },
    include: { entries: { orderBy: { line: 'asc' } } },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: limit,
  })
  return rows.map((row) => ({
    ...row,
    entries: row.entries.map(({ account, asset, debit, credit }) => ({ account, asset, debit, credit })),
  }))
}
