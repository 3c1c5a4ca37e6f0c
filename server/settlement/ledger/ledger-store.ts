import type { Context } from '../../context.ts'
import type { TransferDraft } from './ledger.ts'

/**
 * Posts a fact once; true if it was new. After a reversal the fact can be posted again under the next key: `close:gol_…`, then
 * `close:gol_…#2`. The database rejects unbalanced entries.
 */
export async function postLedgerTransfer(tx: Context, draft: TransferDraft, asset = tx.market.asset): Promise<boolean> {
  const { entries, at, key: fact, ...transfer } = draft
  for (let nth = 1; ; nth++) {
    const id = tx.ids.next('led')
    const key = nth === 1 ? fact : `${fact}#${nth}`
    const { count } = await tx.db.ledgerTransfer.createMany({
      data: [{ id, key, ...transfer, lines: entries.length, at: new Date(at * 1_000) }],
      skipDuplicates: true,
    })
    if (count === 1) {
      const data = entries.map((entry, index) => ({ transferId: id, line: index + 1, asset, ...entry }))
      await tx.db.ledgerEntry.createMany({ data })
      return true
    }
    const standing = await tx.db.ledgerTransfer.findUnique({ where: { key }, select: { reversal: { select: { id: true } } } })
    if (standing?.reversal == null) return false
  }
}

/** The key of the fact, without the repetition number. */
export function factKeyOf(key: string): string {
  return key.replace(/#\d+$/, '')
}

/** Reverses a transfer by a mirrored one, `reverse:<key>`. Entries are immutable. Idempotent. */
export async function reverseLedgerTransfer(tx: Context, transferId: string): Promise<void> {
  const {
    id,
    key,
    goalId,
    tx: hash,
    entries,
  } = await tx.db.ledgerTransfer.findUniqueOrThrow({
    where: { id: transferId },
    include: { entries: true },
  })
  const reversal = tx.ids.next('led')
  const { count } = await tx.db.ledgerTransfer.createMany({
    data: [
      {
        id: reversal,
        key: `reverse:${key}`,
        goalId,
        memo: 'The chain has removed the block of this transfer.',
        tx: hash,
        reversesId: id,
        lines: entries.length,
        at: tx.clock.now(),
      },
    ],
    skipDuplicates: true,
  })
  if (count === 0) return
  await tx.db.ledgerEntry.createMany({
    data: entries.map(({ line, account, asset, debit, credit }) => ({
      transferId: reversal,
      line,
      account,
      asset,
      debit: credit,
      credit: debit,
    })),
  })
}

/** Balances (debits minus credits) by account. Omits accounts without entries. */
export async function getBalances(ctx: Context, accounts: readonly string[] | { readonly prefix: string }): Promise<Map<string, bigint>> {
  const where = 'prefix' in accounts ? { account: { startsWith: accounts.prefix } } : { account: { in: [...accounts] } }
  const sums = await ctx.db.ledgerEntry.groupBy({
    by: ['account'],
    where: { ...where, asset: ctx.market.asset },
    _sum: { debit: true, credit: true },
  })
  return new Map(sums.map((sum) => [sum.account, (sum._sum.debit ?? 0n) - (sum._sum.credit ?? 0n)]))
}
