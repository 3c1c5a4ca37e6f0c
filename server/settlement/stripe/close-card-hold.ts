import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { advanceHold, type CardHold, hasStep, isFunded, isSettling, requireCardHold } from '../holds/hold.ts'
import { saveHold } from '../holds/hold-store.ts'
import { wholeCents } from '../ledger/allocate-cents.ts'
import { cardAccounts, postCardTransfer } from '../ledger/post-card-transfer.ts'
import { type CardPayment, refundCreditKey } from './card-payment.ts'
import { listCardPayments } from './card-payment-store.ts'
import { lockCardHold, requireCharge } from './lock-card-hold.ts'

/** The payments of a settlement: at most one refund, and one transfer per publisher. */
export async function listSettlementPayments(tx: Context, goalId: string): Promise<CardPayment[]> {
  return listCardPayments(tx, {
    goalId,
    OR: [{ key: { in: [`refund:${goalId}`, `reclaim:${goalId}`] } }, { kind: 'transfer' }],
  })
}

/** Closes the hold when all payments of its settlement are posted. Shares that wait for a payout account no longer belong to the hold. */
export async function closeCardHold(tx: Context, goalId: string): Promise<void> {
  const { hold, card } = await lockCardHold(tx, goalId)
  const parts = await listSettlementPayments(tx, goalId)
  const isReclaim = parts.some((part) => part.key === `reclaim:${goalId}`)
  if (!isSettling(hold) && !(hold.state === 'authorized' && isReclaim)) return
  // A refund that became the client's credit is replaced by it.
  const credited = new Set(parts.map(({ key }) => key))
  const effective = parts.filter((part) => !(part.kind === 'refund' && credited.has(refundCreditKey(part))))
  if (effective.length === 0 || effective.some((part) => part.state !== 'posted' && part.claimBy === null)) return

  const { charge } = requireCharge(card)
  const fee = wholeCents(hold.terms.total) - effective.reduce((sum, part) => sum + part.cents, 0n)
  if (fee > 0n)
    await postCardTransfer(tx, {
      key: `fee:${goalId}`,
      goalId,
      memo: 'The platform keeps its fee.',
      tx: charge,
      moves: [{ from: cardAccounts(goalId).held, to: `fees:${hold.terms.feeTo}`, cents: fee }],
    })
  const settledBy = effective.find((part) => part.objectId !== null)?.objectId ?? charge
  await saveClosedHold(tx, closedHold(hold, isReclaim, settledBy), charge)
}

function closedHold(hold: CardHold, isReclaim: boolean, tx: string): CardHold {
  if (isReclaim || !isSettling(hold)) return requireCardHold(advanceHold(hold, { type: 'close', to: 'reclaimed', tx }))
  const { conclusionHash } = hold
  if (hold.state === 'voiding') return requireCardHold(advanceHold(hold, { type: 'close', to: 'voided', tx, conclusionHash }))
  return requireCardHold(advanceHold(hold, { type: 'close', to: 'captured', tx, bits: hold.bits, conclusionHash }))
}

/** Saves the closed hold. A payout below half a cent counts as paid without a transfer; all other money was refunded. */
export async function saveClosedHold(tx: Context, closed: CardHold, charge: string): Promise<void> {
  const { goalId } = closed
  if (!isFunded(closed)) throw new Error(`the hold of ${goalId} was closed without having been funded`)
  if (closed.state === 'captured') await markPayoutsPaid(tx, { goalId, from: ['paying'], to: 'paid', by: charge })
  await tx.db.payout.updateMany({ where: { goalId, state: { in: ['sealed', 'paying'] } }, data: { state: 'refunded' } })
  await saveHold(tx, closed)
  await appendAudit(tx, { stream: holdAuditStreamName(goalId), action: 'hold.record', after: { state: closed.state, charge } })
  const type = closed.state === 'captured' ? 'hold.captured' : closed.state === 'voided' ? 'hold.voided' : 'hold.reclaimed'
  await enqueue(tx, { type, goal_id: goalId })
  await sendSignal(tx, { topic: 'goal', id: goalId })
}

export type PaidPayouts = {
  readonly goalId: string
  readonly agentIds?: readonly string[]
  readonly from: readonly ('paying' | 'credited')[]
  readonly to: 'paid' | 'credited'
  /** Stripe's id of the object that paid them. */
  readonly by: string
}

/** Marks payouts as paid or credited. Of steps that the terms split, it records the half that was paid. */
export async function markPayoutsPaid(tx: Context, { goalId, agentIds, from, to, by }: PaidPayouts): Promise<void> {
  const where = { goalId, ...(agentIds && { agentId: { in: [...agentIds] } }), state: { in: [...from] } }
  const paid = { tx: by, paidAt: tx.clock.now() }
  const { captureHalves } = await tx.db.hold.findUniqueOrThrow({ where: { goalId }, select: { captureHalves: true } })
  if (captureHalves)
    for (const { id, step, amount } of await tx.db.payout.findMany({ where }))
      if (hasStep(captureHalves, step)) {
        const data = { ...paid, state: to === 'paid' ? ('split' as const) : to, paidAmount: amount / 2n }
        await tx.db.payout.update({ where: { id }, data })
      }
  // Those that are credited in halves have their amount already.
  await tx.db.payout.updateMany({ where: { ...where, paidAmount: null }, data: { ...paid, state: to } })
}
