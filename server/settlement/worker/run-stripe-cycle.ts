import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { DomainError } from '../../errors.ts'
import { createCardPayouts } from '../stripe/create-card-payouts.ts'
import { creditFailedRefund, listFailedRefunds } from '../stripe/credit-failed-refund.ts'
import { requireCardRail } from '../stripe/lock-card-hold.ts'
import { processCardPayment } from '../stripe/process-card-payment.ts'
import { recordChargeback } from '../stripe/record-chargeback.ts'
import { refundUnclaimedPayoutShare } from '../stripe/refund-unclaimed-payout-share.ts'
import { sealCardCharter } from '../stripe/settle-card-hold.ts'
import { applyStripeObject } from '../stripe/webhooks/apply-webhook-event.ts'

/**
 * One cycle of the card rail: starts requested settlements and advances payments. Runs at start and periodically, so it recovers
 * everything after a crash.
 */
export async function runStripeCycle(ctx: Context): Promise<void> {
  if (!ctx.ports.cards) return
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const now = system.clock.now()
  const settling = await system.db.hold.findMany({
    where: { rail: 'stripe', state: { in: ['capturing', 'voiding'] } },
    select: { goalId: true },
    take: 200,
  })
  for (const { goalId } of settling) await safely(system, goalId, () => inTransaction(system, (tx) => createCardPayouts(tx, goalId)))
  for (const goalId of await listDueCharters(system, now)) await safely(system, goalId, () => sealCardCharter(system, goalId))
  for (const { id, goalId } of await listDue(system, now)) await safely(system, goalId, () => processCardPayment(system, id))
  const late = await system.db.cardPayment.findMany({
    where: { state: 'intent', kind: 'transfer', claimBy: { lt: now }, NOT: { key: { startsWith: 'refund-credit:' } } },
    select: { id: true, goalId: true },
    take: 100,
  })
  for (const { id, goalId } of late) await safely(system, goalId, () => refundUnclaimedPayoutShare(system, id))
  for (const refund of await listFailedRefunds(system)) await safely(system, refund.goalId, () => creditFailedRefund(system, refund))
}

/** Goals with a charter that the client approved, or whose veto window has ended. */
async function listDueCharters(ctx: Context, now: Date): Promise<string[]> {
  const due = await ctx.db.$queryRaw<{ goalId: string }[]>`
    select s."goalId" from "charter_sealing" s join "hold" h on h."goalId" = s."goalId"
    where h."rail" = 'stripe' and s."dueAt" <= ${now} limit 200`
  return due.map(({ goalId }) => goalId)
}

/** Payments that are due. Omits those that wait for an account or the end of a dispute. */
async function listDue(ctx: Context, now: Date): Promise<{ id: string; goalId: string }[]> {
  return ctx.db.$queryRaw`
    select p."id", p."goalId" from "card_payment" p
    join "card_hold" h on h."goalId" = p."goalId"
    left join "payout_account" a on a."ownerId" = p."ownerId"
    where p."state" in ('prepared', 'submitted', 'seen', 'final', 'failed_retryable', 'intent')
      and (p."retryAt" is null or p."retryAt" <= ${now})
      and not (p."state" = 'intent' and p."kind" = 'transfer' and coalesce(a."state", 'opening') <> 'ready')
      and not (p."state" in ('intent', 'failed_retryable') and p."kind" <> 'reversal' and coalesce(h."dispute", 'won') <> 'won')
    order by p."createdAt" limit 200`
}

/** Sweeps Stripe for objects whose webhooks were lost. Runs nightly and after an outage. */
export async function sweepStripe(ctx: Context, sinceHours = 72): Promise<void> {
  if (!ctx.ports.cards) return
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const since = Math.floor(system.clock.now().getTime() / 1_000) - sinceHours * 3_600
  const { objects, disputes } = await requireCardRail(system).listSince(since)
  for (const object of objects) await safely(system, object.goalId ?? '', () => applyStripeObject(system, object))
  for (const dispute of disputes) await safely(system, dispute.paymentIntent, () => recordChargeback(system, dispute))
  // A dispute can last for months, so open ones are queried by id.
  const open = await system.db.cardHold.findMany({ where: { dispute: 'open' }, select: { goalId: true, disputeId: true }, take: 1_000 })
  for (const { goalId, disputeId } of open)
    await safely(system, goalId, async () => recordChargeback(system, await requireCardRail(system).getDispute(disputeId ?? '')))
}

/** A failure of one does not affect others. */
async function safely(ctx: Context, subject: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isExpected = error instanceof DomainError
    ctx.log[isExpected ? 'warn' : 'error'](
      { event: 'stripe.step_failed', subject, err: error },
      'A step of a card payment failed. The next cycle retries it.',
    )
  }
}
