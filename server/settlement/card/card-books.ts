import type { Context } from '../../context.ts'
import type { CardEntry } from '../../ports.ts'
import { cardsOf } from './card-hold.ts'
import { usd } from './card-ledger.ts'
import { fromCents } from './cents.ts'

/** Stripe's words for what moves our balance, as one word each. Its own fees and payouts to our bank are none of ours. */
const kinds: { readonly [type: string]: string } = {
  charge: 'charge',
  payment: 'charge',
  transfer: 'transfer',
  refund: 'refund',
  payment_refund: 'refund',
  transfer_refund: 'reversal',
  adjustment: 'dispute',
}
/** By the first word of a ledger key: what it is called here, and whether it brings money in. */
const movements: { readonly [word: string]: readonly [string, bigint] } = {
  fund: ['charge', 1n],
  transfer: ['transfer', -1n],
  refund: ['refund', -1n],
  reversal: ['reversal', 1n],
}

/**
 * Both sides of the card rail since then, in one form: `reference` is Stripe's object, `amount` cents as they move our
 * balance. `ledger`: what our ledger says has moved, by its keys; `stripe`: Stripe's own balance transactions.
 */
export async function readCardBooks(ctx: Context, since: Date): Promise<{ ledger: CardEntry[]; stripe: CardEntry[] }> {
  const rows = await ctx.db.ledgerTransfer.findMany({
    where: { at: { gte: since }, entries: { some: { asset: usd } } },
    include: { entries: { select: { debit: true } } },
    orderBy: { at: 'asc' },
  })
  const ledger = rows.flatMap((row): CardEntry[] => {
    const [kind, sign] = movementOf(row.key)
    const amount = row.entries.reduce((sum, entry) => sum + entry.debit, 0n) / fromCents(1n)
    return sign === 0n ? [] : [{ id: row.key, kind, amount: amount * sign, reference: row.tx ?? '' }]
  })
  const entries = await cardsOf(ctx).listEntries(Math.floor(since.getTime() / 1_000))
  const stripe = entries.flatMap((entry): CardEntry[] => {
    const kind = kinds[entry.kind]
    return kind === undefined ? [] : [{ ...entry, kind }]
  })
  return { ledger, stripe }
}

/** What stays with Stripe when it is booked (fees, credits, what a dispute came to) moves nothing there. */
function movementOf(key: string): readonly [string, bigint] {
  const [word = '', , end] = key.split(':')
  if (word === 'dispute') return ['dispute', end === 'opened' ? -1n : end === 'won' ? 1n : 0n]
  return movements[word] ?? ['', 0n]
}
