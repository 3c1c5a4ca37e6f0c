import { appendAudit } from '../../audit/index.ts'
import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { CardDispute } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { advanceHold, type CardHold, isFunded, isSettling, requireCardHold } from '../holds/hold.ts'
import { min } from '../ledger/ledger.ts'
import { cardAccounts, getCentBalance, postCardTransfer, postProcessingFee } from '../ledger/post-card-transfer.ts'
import { advancePayment, type CardPayment } from './card-payment.ts'
import { listCardPayments, requestCardPayment, saveCardPayment } from './card-payment-store.ts'
import { saveClosedHold } from './close-card-hold.ts'
import { creditAccount } from './credit-share-without-payout-account.ts'
import { lockCardHold } from './lock-card-hold.ts'
import { processGoalPayments } from './settle-card-hold.ts'

/**
 * Applies a chargeback or its outcome. While it is open, nothing more is paid out. If we win, everything continues. If we lose,
 * unpaid shares are cancelled and paid ones are reversed.
 */
export async function recordChargeback(ctx: Context, dispute: CardDispute): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const row = await system.db.cardHold.findUnique({ where: { paymentIntent: dispute.paymentIntent } })
  if (!row) return
  await inTransaction(system, (tx) => applyDispute(tx, row.goalId, dispute))
  await processGoalPayments(system, row.goalId)
}

async function applyDispute(tx: Context, goalId: string, dispute: CardDispute): Promise<void> {
  const { hold, card } = await lockCardHold(tx, goalId)
  if (card.disputeId === dispute.id && (card.dispute === dispute.state || card.dispute !== 'open')) return
  // The bank takes the money at once, even if we learn of the dispute only after its end.
  if (card.disputeId !== dispute.id) await postOpened(tx, hold, dispute)
  await postProcessingFee(tx, { key: `dispute:${dispute.id}:fee`, goalId, tx: dispute.id, cents: dispute.feeCents })
  if (dispute.state === 'won') await postWon(tx, hold, dispute)
  if (dispute.state === 'lost') await postLost(tx, hold, dispute)
  await tx.db.cardHold.update({
    where: { goalId },
    data: {
      disputeId: dispute.id,
      dispute: dispute.state,
      disputedAt: new Date(dispute.at * 1_000),
      evidenceDueBy: dispute.evidenceDueBy === null ? null : new Date(dispute.evidenceDueBy * 1_000),
      ...(card.disputeId !== dispute.id && { evidenceSubmittedAt: null }),
    },
  })
  if (dispute.state === 'lost') await endHold(tx, hold, dispute)
  await appendAudit(tx, {
    stream: holdAuditStreamName(goalId),
    action: 'hold.dispute',
    before: { dispute: card.dispute },
    after: { dispute: dispute.state, id: dispute.id, cents: dispute.cents },
  })
  tx.log.warn({ event: 'stripe.dispute_recorded', goal: goalId, dispute: dispute.id, state: dispute.state }, 'A card payment is disputed.')
  await sendSignal(tx, { topic: 'goal', id: goalId })
}

async function postOpened(tx: Context, { goalId }: CardHold, dispute: CardDispute): Promise<void> {
  const { held, disputed, loss } = cardAccounts(goalId)
  const there = await getCentBalance(tx, held)
  const fromHeld = min(there, dispute.cents)
  await postCardTransfer(tx, {
    key: `dispute:${dispute.id}:opened`,
    goalId,
    memo: "The client's bank takes the payment while it is disputed.",
    tx: dispute.id,
    moves: [
      { from: held, to: disputed, cents: fromHeld },
      { from: loss, to: disputed, cents: dispute.cents - fromHeld },
    ],
  })
}

/** Returns the money to the accounts that it was taken from. */
async function postWon(tx: Context, { goalId }: CardHold, dispute: CardDispute): Promise<void> {
  const { held, disputed, loss } = cardAccounts(goalId)
  const owedToLoss = -(await getCentBalance(tx, loss))
  const toLoss = owedToLoss < 0n ? 0n : min(owedToLoss, dispute.cents)
  await postCardTransfer(tx, {
    key: `dispute:${dispute.id}:won`,
    goalId,
    memo: 'The dispute is won: the payment comes back.',
    tx: dispute.id,
    moves: [
      { from: disputed, to: loss, cents: toLoss },
      { from: disputed, to: held, cents: dispute.cents - toLoss },
    ],
  })
}

/** The client keeps the money, so unclaimed shares are no longer owed. */
async function postLost(tx: Context, hold: CardHold, dispute: CardDispute): Promise<void> {
  const { disputed, loss } = cardAccounts(hold.goalId)
  await postCardTransfer(tx, {
    key: `dispute:${dispute.id}:lost`,
    goalId: hold.goalId,
    memo: 'The dispute is lost: the payment went back to the client.',
    tx: dispute.id,
    moves: [{ from: disputed, to: `client:${hold.terms.client}`, cents: dispute.cents }],
  })
  for (const share of await listCardPayments(tx, { goalId: hold.goalId, kind: 'transfer' })) {
    if (share.claimBy === null || share.state === 'posted' || share.ownerId === null) continue
    await postCardTransfer(tx, {
      key: `credit:${hold.goalId}:${share.ownerId}:lost`,
      goalId: hold.goalId,
      memo: 'A share that waited is not owed any more.',
      tx: dispute.id,
      moves: [{ from: creditAccount(share.ownerId), to: loss, cents: share.cents }],
    })
  }
}

/** Cancels unsent payments, reverses sent ones, and closes the hold if it is open. */
async function endHold(tx: Context, hold: CardHold, dispute: CardDispute): Promise<void> {
  const { goalId } = hold
  for (const payment of await listCardPayments(tx, { goalId })) await endPayment(tx, payment)
  await tx.db.payout.updateMany({ where: { goalId, state: 'credited' }, data: { state: 'refunded' } })
  if (hold.state !== 'authorized' && !isSettling(hold)) return
  if (!isFunded(hold)) return
  await saveClosedHold(tx, requireCardHold(advanceHold(hold, { type: 'close', to: 'reclaimed', tx: dispute.id })), dispute.id)
}

async function endPayment(tx: Context, payment: CardPayment): Promise<void> {
  if (payment.kind === 'transfer' && payment.state === 'posted') {
    const { goalId, cents, ownerId, objectId } = payment
    const want = { key: `reversal:${objectId}`, kind: 'reversal' as const, goalId, cents, ...(ownerId ? { ownerId } : {}) }
    await requestCardPayment(tx, { ...want, subject: objectId ?? '' })
    return
  }
  // A request that was already sent continues.
  if (payment.state !== 'intent' && payment.state !== 'failed_retryable') return
  if (payment.kind === 'reversal') return
  const ended = advancePayment(payment, { type: 'end', failure: 'The payment was disputed and went back to the client.' })
  if (ended) await saveCardPayment(tx, payment, ended)
}
