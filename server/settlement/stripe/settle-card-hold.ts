import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { isCardCharterPayable } from '../charters/is-card-charter-payable.ts'
import { advanceHold, isFunded } from '../holds/hold.ts'
import { listCharters, saveHold } from '../holds/hold-store.ts'
import { writePayouts } from '../holds/write-payouts.ts'
import { isFinished } from './card-payment.ts'
import { listCardPayments } from './card-payment-store.ts'
import { createCardPayouts } from './create-card-payouts.ts'
import { lockCardHold } from './lock-card-hold.ts'
import { processCardPayment } from './process-card-payment.ts'

/** Pays the steps of `captureHold` and refunds the rest. Runs after `hold.capturing` and `hold.voiding`, and in every cycle. */
export async function settleCardHold(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(actingAs(ctx, { kind: 'system', name: 'jobs' }), (tx) => createCardPayouts(tx, goalId))
  await processGoalPayments(ctx, goalId)
}

/** Refunds everything unsettled after the hold's expiry. */
export async function reclaimCardHold(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(actingAs(ctx, { kind: 'system', name: 'jobs' }), async (tx) => {
    const { hold } = await lockCardHold(tx, goalId)
    if (tx.clock.now().getTime() > hold.terms.expiry * 1_000) await createCardPayouts(tx, goalId, true)
  })
  await processGoalPayments(ctx, goalId)
}

/** Processes all payments of a goal. A failure of one does not affect others. */
export async function processGoalPayments(ctx: Context, goalId: string): Promise<void> {
  const payments = await listCardPayments(ctx, { goalId })
  const outcomes = await Promise.allSettled(
    payments.filter((payment) => !isFinished(payment)).map((payment) => processCardPayment(ctx, payment.id)),
  )
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

/** Puts the newest charter in force, if the client approved it or its veto window ended without a veto. */
export async function sealCardCharter(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(actingAs(ctx, { kind: 'system', name: 'jobs' }), async (tx) => {
    const { hold } = await lockCardHold(tx, goalId)
    const at = tx.clock.now()
    const charters = await listCharters(tx, goalId)
    const [charter] = charters
    await tx.db.charterSealing.deleteMany({ where: { goalId, dueAt: { lte: at } } })
    if (!charter || hold.state !== 'authorized' || !isFunded(hold)) return
    if (charter.version <= (hold.charter?.version ?? 0) || !isCardCharterPayable(charter, charters, hold.terms, at)) return
    const { version, hash } = charter
    const sealed = await saveHold(tx, advanceHold(hold, { type: 'seal', charter: { version, hash } }))
    await writePayouts(tx, sealed, charter)
    await enqueue(tx, { type: 'team.recorded', goal_id: goalId as never, version })
  })
}
