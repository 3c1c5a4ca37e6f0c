import type { Context } from '../context.ts'
import { placeOf } from './hold.ts'
import { loadHold } from './store.ts'

export type WaterfallLine = {
  readonly kind: 'funded' | 'fee' | 'payee' | 'credit' | 'refund' | 'held'
  /** Whose: a wallet address; for what is still held the escrow's, or `stripe`. */
  readonly address: string
  /** Above zero for what came in, below for what went out or is still there. */
  readonly amount: bigint
  readonly tx: string | null
}

const kinds: { readonly [account: string]: WaterfallLine['kind'] } = { fees: 'fee', payee: 'payee', credit: 'credit', client: 'refund' }
const order = ['funded', 'fee', 'payee', 'credit', 'refund', 'held']

/** Where a goal's money went, out of the ledger: what was set aside, then everything it became. Sums to zero. */
export async function getWaterfall(ctx: Context, goalId: string): Promise<WaterfallLine[]> {
  const hold = await loadHold(ctx, goalId)
  const place = placeOf(hold)
  const transfers = await ctx.db.ledgerTransfer.findMany({ where: { goalId }, include: { entries: true }, orderBy: { at: 'asc' } })
  const lines: WaterfallLine[] = []
  let held = 0n
  for (const { entries, tx } of transfers) {
    for (const { account, debit, credit } of entries) {
      const moved = debit - credit
      if (account === place) {
        held += moved
        continue
      }
      const [name = '', address = ''] = account.split(':')
      const kind = moved < 0n ? 'funded' : kinds[name]
      if (kind === undefined) throw new Error(`an account of an unknown kind in a goal's ledger: ${account}`)
      lines.push({ kind, address, amount: -moved, tx })
    }
  }
  if (held !== 0n) lines.push({ kind: 'held', address: hold.rail === 'escrow' ? hold.escrow : 'stripe', amount: -held, tx: null })
  return lines.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}
