import { appendAudit } from '../../audit/index.ts'
import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { holdWrongState } from '../errors.ts'
import { advancePayment, type CardPayment, refundCreditKey } from '../stripe/card-payment.ts'
import { getCardPayment, saveCardPayment } from '../stripe/card-payment-store.ts'
import { listSettlementPayments } from '../stripe/close-card-hold.ts'
import { hasChargeback, lockCardHold, requireCardRail } from '../stripe/lock-card-hold.ts'
import { adoptObject } from '../stripe/process-card-payment.ts'
import { processGoalPayments } from '../stripe/settle-card-hold.ts'

/**
 * An operator retries rejected or unanswered payments. Looks for the object at Stripe first, and sends a new request with a new
 * key only if there is none.
 * @throws hold.wrong_state if no payment has failed; hold.card_unavailable
 */
export async function retryCardPayments(ctx: Context, goalId: string): Promise<string> {
  const parts = (await listSettlementPayments(ctx, goalId)).filter(
    (part, _index, all) =>
      part.state === 'failed_final' && part.claimBy === null && part.call !== null && !all.some(({ key }) => key === refundCreditKey(part)),
  )
  const { hold, card } = await inTransaction(ctx, (tx) => lockCardHold(tx, goalId))
  if (parts.length === 0 || hasChargeback(card)) throw holdWrongState(hold.state, 'have its settlement tried again')
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  for (const part of parts) {
    const object = part.call && (await requireCardRail(ctx).find(part.call))
    if (object) await adoptObject(system, part, object)
    else await reopen(ctx, part)
  }
  await processGoalPayments(system, goalId)
  return (await inTransaction(ctx, (tx) => lockCardHold(tx, goalId))).hold.state
}

async function reopen(ctx: Context, input: CardPayment): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockCardHold(tx, input.goalId)
    const payment = await getCardPayment(tx, input.id)
    const next = payment.state === 'failed_final' ? advancePayment(payment, { type: 'reopen' }) : null
    if (!next) return
    await saveCardPayment(tx, payment, next)
    await appendAudit(tx, {
      stream: holdAuditStreamName(payment.goalId),
      action: 'settlement.retry',
      before: { payment: payment.key, failure: payment.failure, attempt: payment.attempt },
      after: { state: next.state },
    })
  })
}
