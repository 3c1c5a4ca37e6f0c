import type { CheckoutHold } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { automaticPayoutsEnabled, cardUnavailable, holdWrongState } from '../errors.ts'
import { requireClient, requireFundable } from '../holds/get-funding-terms.ts'
import { requireCardHold } from '../holds/hold.ts'
import { loadHold } from '../holds/hold-store.ts'
import { wholeCents } from '../ledger/allocate-cents.ts'
import { type CardPayment, isFinished } from './card-payment.ts'
import { listCardPayments, requestCardPayment } from './card-payment-store.ts'
import { lockCardHold, requireCardRail } from './lock-card-hold.ts'
import { processCardPayment } from './process-card-payment.ts'

/**
 * Opens a Stripe checkout session, or returns the open one. The hold is funded when Stripe reports the payment, regardless of what the
 * browser shows.
 */
export async function checkoutHold(ctx: Context, input: CheckoutHold): Promise<{ goal_id: string; url: string }> {
  await permit(ctx, 'hold.checkout')
  const found = requireCardHold(await loadHold(ctx, input.goal_id))
  requireClient(ctx, found)
  requireFundable(found, seconds(ctx.clock.now()))
  // Money held for goals must stay in Stripe's balance until settlement.
  if (await requireCardRail(ctx).paysOutAutomatically()) throw automaticPayoutsEnabled()
  const open = await inTransaction(ctx, (tx) => openCheckout(tx, found.goalId))
  // Refreshes the session: it may have expired or been paid.
  const current = await processCardPayment(ctx, open.id, { lookAgain: true })
  if (current.state === 'posted') throw holdWrongState('authorized', 'be paid for again')
  if (current.state === 'failed_final' && open.state !== 'intent') return checkoutHold(ctx, input)
  if (current.state === 'seen' && current.url === null)
    throw holdWrongState('authorizing', 'be paid for again while a payment is under way')
  if (current.url === null) throw cardUnavailable(current.failure)
  return { goal_id: found.goalId, url: current.url }
}

/** One checkout session at a time: a new one only after the previous one has ended. */
async function openCheckout(tx: Context, goalId: string): Promise<CardPayment> {
  const { hold, card } = await lockCardHold(tx, goalId)
  requireFundable(hold, seconds(tx.clock.now()))
  const pages = await listCardPayments(tx, { goalId, kind: 'checkout' })
  const open = pages.find((page) => !isFinished(page))
  if (open) return open
  const key = `checkout:${goalId}:${pages.length + 1}`
  await requestCardPayment(tx, { key, kind: 'checkout', goalId, cents: wholeCents(hold.terms.total) + card.processingFeeCents })
  await appendAudit(tx, {
    stream: holdAuditStreamName(goalId),
    action: 'hold.checkout',
    after: { state: hold.state, page: pages.length + 1 },
  })
  const [page] = await listCardPayments(tx, { key })
  if (!page) throw new Error(`${key} was written and is not there`)
  return page
}
