import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import type { CardCall } from '../../ports.ts'
import { wholeCents } from '../ledger/allocate-cents.ts'
import type { CardPayment } from './card-payment.ts'
import { hasChargeback, lockCardHold, requireCharge } from './lock-card-hold.ts'

/** Stripe's minimum lifetime of a checkout session is 30 minutes. */
const minOpenSeconds = 31 * 60
const maxOpenSeconds = 2 * 3_600

/** Builds the request of a payment. Null while it waits for the publisher's account or the end of a dispute. */
export async function buildStripePaymentRequest(tx: Context, payment: CardPayment): Promise<CardCall | null> {
  const { hold, card } = await lockCardHold(tx, payment.goalId)
  const base = { goalId: payment.goalId, paymentId: payment.id, cents: payment.cents }
  switch (payment.kind) {
    case 'checkout': {
      const now = seconds(tx.clock.now())
      const expiresAt = Math.max(now + minOpenSeconds, Math.min(now + maxOpenSeconds, hold.terms.workBy))
      return {
        ...base,
        kind: 'checkout',
        title: 'A goal on Parley',
        feeCents: payment.cents - wholeCents(hold.terms.total),
        returnUrl: `${tx.market.publicUrl}/goals/${payment.goalId}`,
        expiresAt,
      }
    }
    case 'transfer': {
      if (hasChargeback(card)) return null
      const account = await tx.db.payoutAccount.findUnique({ where: { ownerId: payment.ownerId ?? '' } })
      if (account?.state !== 'ready' || account.accountId === null) return null
      return { ...base, kind: 'transfer', destination: account.accountId, charge: payment.subject ?? requireCharge(card).charge }
    }
    case 'refund':
      // A disputed payment cannot be refunded, because the client's bank already has the money.
      if (hasChargeback(card) && payment.subject === card.paymentIntent) return null
      return { ...base, kind: 'refund', paymentIntent: payment.subject ?? '' }
    case 'reversal':
      return { ...base, kind: 'reversal', transfer: payment.subject ?? '' }
    default:
      return payment.kind satisfies never
  }
}
