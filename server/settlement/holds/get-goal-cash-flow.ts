import type { Context } from '../../context.ts'
import { loadHoldForDisplay } from './hold-store.ts'

export type CashFlowLine = {
  readonly kind: 'funded' | 'fee' | 'payee' | 'credit' | 'refund' | 'held' | 'loss' | 'processing'
  /** Wallet address. For held money: the escrow's address, or `stripe`. */
  readonly address: string
  /** Positive for incoming money, negative for outgoing or held money. A payee's can be positive after a reversal. */
  readonly amount: bigint
  readonly tx: string | null
}

const kinds: { readonly [account: string]: CashFlowLine['kind'] } = {
  fees: 'fee',
  payee: 'payee',
  credit: 'credit',
  client: 'refund',
  escrow: 'held',
  card: 'held',
  dispute: 'held',
  loss: 'loss',
  platform: 'processing',
  processing: 'processing',
}
const order = ['funded', 'loss', 'processing', 'fee', 'payee', 'credit', 'refund', 'held']
/** Accounts that money only passes through. */
const transitAccounts = new Set(['escrow', 'card', 'dispute', 'loss', 'credit', 'processing'])

/** Cash flow of a goal from the ledger: the funding, then all payments. Sums to zero. */
export async function getGoalCashFlow(ctx: Context, goalId: string): Promise<CashFlowLine[]> {
  const hold = await loadHoldForDisplay(ctx, goalId)
  const place = hold.rail === 'escrow' ? hold.escrow : 'stripe'
  const transfers = await ctx.db.ledgerTransfer.findMany({
    where: { goalId, reversesId: null, reversal: null },
    include: { entries: true },
    orderBy: { at: 'asc' },
  })
  const lines: CashFlowLine[] = []
  // Nets the moves through transit accounts. Only their final balance is shown.
  const passing = new Map<string, { moved: bigint; tx: string | null }>()
  for (const { entries, tx, key } of transfers) {
    const isFunding = key.startsWith('fund:') || key.startsWith('spend:')
    for (const { account, debit, credit } of entries) {
      const moved = debit - credit
      // Processing fees appear as one line: the fee that the client paid.
      const [name = '', address = ''] = account.replace(/^platform:/, 'processing:').split(':')
      if (isFunding && moved < 0n) lines.push({ kind: 'funded', address, amount: -moved, tx })
      else if (transitAccounts.has(name))
        passing.set(`${name}:${address}`, { moved: (passing.get(`${name}:${address}`)?.moved ?? 0n) + moved, tx })
      else lines.push({ kind: moved < 0n && name === 'client' ? 'funded' : kindOf(account), address, amount: -moved, tx })
    }
  }
  for (const [account, { moved, tx }] of passing) {
    const kind = kindOf(account)
    if (moved !== 0n)
      lines.push({
        kind,
        address: kind === 'credit' ? (account.split(':')[1] ?? '') : place,
        amount: -moved,
        tx: kind === 'held' ? null : tx,
      })
  }
  return lines.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
}

function kindOf(account: string): CashFlowLine['kind'] {
  const kind = kinds[account.split(':')[0] ?? '']
  if (kind === undefined) throw new Error(`an account of an unknown kind in a goal's ledger: ${account}`)
  return kind
}
