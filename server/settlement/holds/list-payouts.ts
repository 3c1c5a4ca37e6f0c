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
  /** What the payee was sent or credited, royalties taken off; null until then, and on the card rail. */
  readonly paidAmount: bigint | null
  readonly tx: `0x${string}` | null
  readonly paidAt: Date | null
}
export type PayoutFilter = { readonly id: string } | { readonly goalId: string } | { readonly payee: string } | { readonly agentId: string }

/** States of a share that the client's word no longer decides: the arbitrator's, the parties' together, or the chain's did or will. */
const statesOutsideReview: readonly PayoutState[] = ['disputed', 'split', 'refunded']

/** Whether a step is at odds or was ended by itself, so that accepting or returning it says nothing any more. */
export const isOutsideReview = (payout: Pick<PayoutView, 'state'>): boolean => statesOutsideReview.includes(payout.state)

/** Shares of sealed charters, newest goal first, by step. Those of charters that were replaced are left out. */
export async function listPayouts(ctx: Context, filter: PayoutFilter, limit = 500): Promise<PayoutView[]> {
  const where = 'payee' in filter ? { payee: filter.payee.toLowerCase() } : filter
  const rows = await ctx.db.payout.findMany({
    where: { ...where, state: { not: 'replaced' } },
    include: { hold: { select: { asset: true } } },
    orderBy: [{ goalId: 'desc' }, { step: 'asc' }],
    take: limit,
  })
  return rows.map(({ hold, ...row }) => ({
    ...row,
    payee: row.payee as `0x${string}`,
    tx: row.tx as `0x${string}` | null,
    asset: hold.asset,
  }))
}
