import type { Context } from '../../context.ts'
import { fromCents } from '../ledger/allocate-cents.ts'
import type { CardPaymentState } from './card-payment.ts'
import { listCardPayments } from './card-payment-store.ts'

export type ShareView = {
  readonly goalId: string
  readonly ownerId: string
  /** Base units of a US dollar; always whole cents. */
  readonly amount: bigint
  /** `waiting`: for the publisher's payout account, until `claimBy`. `lapsed`: not claimed in time. `reversed`: taken back. */
  readonly state: 'waiting' | 'underway' | 'paid' | 'lapsed' | 'reversed' | 'failed'
  readonly claimBy: Date | null
  readonly tx: string | null
  readonly failure: string | null
}

/** Status of a goal's card payment, for its client. */
export type CardPaymentStatus = {
  readonly checkout: {
    readonly state: 'opening' | 'open' | 'paid' | 'ended'
    readonly url: string | null
    readonly failure: string | null
  } | null
  /** Processing fee on top of the budget, in base units of a US dollar. Not refundable. */
  readonly processingFee: bigint
  readonly paymentIntent: string | null
  readonly dispute: {
    readonly id: string
    readonly state: 'open' | 'won' | 'lost'
    readonly at: Date
    readonly evidenceAt: Date | null
  } | null
  readonly shares: readonly ShareView[]
  readonly refunds: readonly { readonly amount: bigint; readonly state: 'underway' | 'done' | 'failed'; readonly tx: string | null }[]
  /** The local fake of Stripe is in use: no real charge. */
  readonly isDemo: boolean
}

/** Null if the goal is not paid by card. */
export async function getCardPaymentStatus(ctx: Context, goalId: string): Promise<CardPaymentStatus | null> {
  const card = await ctx.db.cardHold.findUnique({ where: { goalId } })
  if (!card) return null
  const payments = await listCardPayments(ctx, { goalId })
  const page = payments.findLast((payment) => payment.kind === 'checkout')
  const { dispute, disputeId, disputedAt } = card
  return {
    checkout: page ? { state: pageStates[page.state], url: page.url, failure: page.failure } : null,
    processingFee: fromCents(card.processingFeeCents),
    paymentIntent: card.paymentIntent,
    dispute:
      dispute && disputeId && disputedAt ? { id: disputeId, state: dispute, at: disputedAt, evidenceAt: card.evidenceSubmittedAt } : null,
    shares: await listShares(ctx, { goalId }),
    refunds: payments
      .filter((payment) => payment.kind === 'refund')
      .map((payment) => ({
        amount: fromCents(payment.cents),
        state: payment.state === 'posted' ? 'done' : payment.state === 'failed_final' ? 'failed' : 'underway',
        tx: payment.objectId,
      })),
    isDemo: ctx.ports.cards?.isDemo ?? false,
  }
}

const pageStates: { readonly [state in CardPaymentState]: 'opening' | 'open' | 'paid' | 'ended' } = {
  intent: 'opening',
  prepared: 'opening',
  submitted: 'opening',
  failed_retryable: 'opening',
  seen: 'open',
  final: 'paid',
  posted: 'paid',
  failed_final: 'ended',
}

/** Shares of card-funded goals, by goal or by publisher. */
export async function listShares(ctx: Context, filter: { readonly goalId: string } | { readonly ownerId: string }): Promise<ShareView[]> {
  const transfers = await listCardPayments(ctx, { ...filter, kind: 'transfer' })
  const reversals = await listCardPayments(ctx, { ...filter, kind: 'reversal', state: 'posted' })
  const reversed = new Set(reversals.map((reversal) => reversal.subject))
  return transfers.map(({ goalId, ownerId, cents, state, claimBy, objectId, failure }) => ({
    goalId,
    ownerId: ownerId ?? '',
    amount: fromCents(cents),
    state: reversed.has(objectId) && objectId !== null ? 'reversed' : shareState(state, claimBy),
    claimBy: state === 'intent' ? claimBy : null,
    tx: objectId,
    failure,
  }))
}

function shareState(state: CardPaymentState, claimBy: Date | null): ShareView['state'] {
  if (state === 'posted') return 'paid'
  if (state === 'intent' && claimBy !== null) return 'waiting'
  if (state === 'failed_final') return claimBy === null ? 'failed' : 'lapsed'
  return 'underway'
}

export type PayoutAccountView = {
  /** `none`: not opened yet. */
  readonly state: 'none' | 'opening' | 'incomplete' | 'ready'
  /** Requirements that Stripe still has, in its words. */
  readonly requirements: readonly string[]
}

/** A publisher's payout account and its shares of card-funded goals. */
export async function getCardEarnings(
  ctx: Context,
  ownerId: string,
): Promise<{ account: PayoutAccountView; shares: ShareView[]; waiting: bigint; paid: bigint }> {
  const account = await ctx.db.payoutAccount.findUnique({ where: { ownerId } })
  const shares = await listShares(ctx, { ownerId })
  const sum = (state: ShareView['state']) => shares.reduce((all, share) => (share.state === state ? all + share.amount : all), 0n)
  return {
    account: { state: account?.state ?? 'none', requirements: account?.requirements ?? [] },
    shares,
    waiting: sum('waiting'),
    paid: sum('paid'),
  }
}
