import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { advancePayment } from './card-payment.ts'
import { getCardPayment, listCardPayments, requestCardPayment, saveCardPayment } from './card-payment-store.ts'
import { lockCardHold, requireCharge } from './lock-card-hold.ts'
import { processCardPayment } from './process-card-payment.ts'

/** Refunds a share to the client that its publisher did not claim in time. */
export async function refundUnclaimedPayoutShare(ctx: Context, id: string): Promise<void> {
  const key = await inTransaction(ctx, async (tx) => {
    const { goalId } = await getCardPayment(tx, id)
    const { card } = await lockCardHold(tx, goalId)
    const share = await getCardPayment(tx, id)
    if (share.state !== 'intent' || share.claimBy === null || share.claimBy > tx.clock.now() || share.ownerId === null) return null
    const ended = advancePayment(share, { type: 'end', failure: 'It was not claimed in time.' })
    if (ended) await saveCardPayment(tx, share, ended)
    const lapse = `lapse:${goalId}:${share.ownerId}`
    const { paymentIntent } = requireCharge(card)
    await requestCardPayment(tx, { key: lapse, kind: 'refund', goalId, cents: share.cents, ownerId: share.ownerId, subject: paymentIntent })
    return lapse
  })
  if (key === null) return
  for (const refund of await listCardPayments(ctx, { key })) await processCardPayment(ctx, refund.id)
}
