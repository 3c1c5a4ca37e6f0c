import type { PayoutState } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'

export type PayoutView = {
  readonly id: string
  readonly goalId: string
  readonly charterVersion: number
  readonly step: number
  readonly payee: `0x${string}`
  readonly agentId: string
  readonly taskId: string | null
  readonly amount: bigint
  readonly asset: string
  readonly rail: 'escrow' | 'stripe'
  readonly state: PayoutState
  /** Amount sent or credited to the payee, after royalties; null until then. On the card rail only of steps of which half is paid. */
  readonly paidAmount: bigint | null
  readonly tx: `0x${string}` | null
  readonly paidAt: Date | null
  /** The transaction that submitted the step to the escrow; null: none. */
  readonly submittedTx: `0x${string}` | null
}
export type PayoutFilter = { readonly id: string } | { readonly goalId: string } | { readonly payee: string } | { readonly agentId: string }

/** States that the client's review no longer decides. The arbitrator, both parties or the contract decides instead. */
const statesOutsideReview: readonly PayoutState[] = ['disputed', 'split', 'refunded']

/** Whether a step is disputed or already ended, so that accepting or returning it has no effect. */
export const isOutsideReview = (payout: Pick<PayoutView, 'state'>): boolean => statesOutsideReview.includes(payout.state)

/** What is paid of a step, before royalties: of a split, its payee's part. On the card rail only a half has an amount of its own. */
export function paidShareOf({ state, rail, amount, paidAmount }: Pick<PayoutView, 'state' | 'rail' | 'amount' | 'paidAmount'>): bigint {
  return state === 'split' || rail === 'stripe' ? (paidAmount ?? amount) : amount
}

/** Payouts of sealed charters, newest goal first, by step. Omits replaced ones. */
export async function listPayouts(ctx: Context, filter: PayoutFilter, limit = 500): Promise<PayoutView[]> {
  const where = 'payee' in filter ? { payee: filter.payee.toLowerCase() } : filter
  const rows = await ctx.db.payout.findMany({
    where: { ...where, state: { not: 'replaced' } },
    include: { hold: { select: { asset: true } } },
    orderBy: [{ goalId: 'desc' }, { step: 'asc' }],
    take: limit,
  })
  return rows.map(({ hold, isSubmissionNotified: _, ...row }) => ({
    ...row,
    payee: row.payee as `0x${string}`,
    tx: row.tx as `0x${string}` | null,
    submittedTx: row.submittedTx as `0x${string}` | null,
    asset: hold.asset,
  }))
}
