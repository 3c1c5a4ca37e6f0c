import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { advanceHold, type CardHold } from '../holds/hold.ts'
import { saveHold } from '../holds/hold-store.ts'
import { putQuotedCharterInForce } from '../holds/quoted-charter.ts'
import { wholeCents } from '../ledger/allocate-cents.ts'
import { cardAccounts, postCardTransfer, postProcessingFee } from '../ledger/post-card-transfer.ts'
import { advancePayment, type CardPayment, isRefundCredit } from './card-payment.ts'
import { getCardPayment, requestCardPayment, saveCardPayment } from './card-payment-store.ts'
import { closeCardHold, markPayoutsPaid } from './close-card-hold.ts'
import { creditAccount, listAgentsOfOwner, payeeAccount } from './credit-share-without-payout-account.ts'
import { lockCardHold } from './lock-card-hold.ts'

/** Posts a completed payment: ledger, payouts and hold, atomically and once. */
export async function postPaymentToLedger(tx: Context, input: CardPayment): Promise<CardPayment> {
  const { hold, card } = await lockCardHold(tx, input.goalId)
  const payment = await getCardPayment(tx, input.id)
  if (payment.state !== 'final') return payment
  const next = advancePayment(payment, { type: 'post' })
  if (!next) return payment
  switch (payment.kind) {
    case 'checkout':
      await postCheckout(tx, hold, payment)
      break
    case 'transfer':
      await postTransfer(tx, hold, payment, card.dispute === 'lost')
      break
    case 'refund':
      await postRefund(tx, hold, payment)
      break
    case 'reversal':
      await postReversal(tx, payment)
      break
    default:
      payment.kind satisfies never
  }
  const posted = await saveCardPayment(tx, payment, next)
  await appendAudit(tx, {
    stream: holdAuditStreamName(payment.goalId),
    action: 'hold.record',
    after: { kind: payment.kind, object: payment.objectId, cents: payment.cents, owner: payment.ownerId },
  })
  await closeCardHold(tx, payment.goalId)
  await sendSignal(tx, { topic: 'goal', id: payment.goalId })
  return posted
}

/** The client has paid. A second payment for the same hold is refunded. */
async function postCheckout(tx: Context, hold: CardHold, payment: CardPayment): Promise<void> {
  const { held } = cardAccounts(hold.goalId)
  const { paidIntent: intent, paidCharge: charge } = payment
  if (intent === null || charge === null) throw new Error(`checkout ${payment.key} was paid by nothing`)
  await postCardTransfer(tx, {
    key: `fund:${hold.goalId}:${intent}`,
    goalId: hold.goalId,
    memo: 'The client pays by card.',
    tx: intent,
    moves: [{ from: `client:${hold.terms.client}`, to: held, cents: payment.cents }],
  })
  await postProcessingFee(tx, { key: `processing:${intent}`, goalId: hold.goalId, tx: intent, cents: payment.paidFeeCents ?? 0n })
  if (hold.state !== 'authorizing' && hold.state !== 'failed') {
    await requestCardPayment(tx, { key: `refund:${intent}`, kind: 'refund', goalId: hold.goalId, cents: payment.cents, subject: intent })
    return
  }
  await postCardTransfer(tx, {
    key: `processing-fee:${hold.goalId}`,
    goalId: hold.goalId,
    memo: 'The client pays for the processing of the card payment.',
    tx: intent,
    moves: [{ from: held, to: 'platform:stripe', cents: payment.cents - wholeCents(hold.terms.total) }],
  })
  await tx.db.cardHold.update({ where: { goalId: hold.goalId }, data: { paymentIntent: intent, charge } })
  await putQuotedCharterInForce(tx, await saveHold(tx, advanceHold(hold, { type: 'fund', tx: intent })))
  await enqueue(tx, { type: 'hold.authorized', goal_id: hold.goalId })
}

async function postTransfer(tx: Context, hold: CardHold, payment: CardPayment, isLost: boolean): Promise<void> {
  const { held, loss } = cardAccounts(hold.goalId)
  const owner = payment.ownerId ?? ''
  const tr = payment.objectId ?? ''
  await postCardTransfer(tx, {
    key: `transfer:${tr}`,
    goalId: hold.goalId,
    memo: "A publisher's share is sent.",
    tx: tr,
    moves: [{ from: isLost ? loss : payment.claimBy ? creditAccount(owner) : held, to: payeeAccount(owner), cents: payment.cents }],
  })
  // A refund credit pays no steps.
  const agents = isRefundCredit(payment) ? [] : await listAgentsOfOwner(tx, payment)
  await markPayoutsPaid(tx, { goalId: hold.goalId, agentIds: agents, from: ['paying', 'credited'], to: 'paid', by: tr })
  // The transfer was pending when the bank decided against us, so it is reversed.
  if (isLost)
    await requestCardPayment(tx, {
      key: `reversal:${tr}`,
      kind: 'reversal',
      goalId: hold.goalId,
      cents: payment.cents,
      ownerId: owner,
      subject: tr,
    })
}

async function postRefund(tx: Context, hold: CardHold, payment: CardPayment): Promise<void> {
  const { held } = cardAccounts(hold.goalId)
  const refund = payment.objectId ?? ''
  // An unclaimed share left the hold when it became a credit.
  const from = payment.ownerId === null ? held : creditAccount(payment.ownerId)
  await postCardTransfer(tx, {
    key: `refund:${refund}`,
    goalId: hold.goalId,
    memo: payment.ownerId === null ? 'Money goes back to the client.' : 'An unclaimed share goes back to the client.',
    tx: refund,
    moves: [{ from, to: `client:${hold.terms.client}`, cents: payment.cents }],
  })
  if (payment.ownerId === null) return
  await tx.db.payout.updateMany({
    where: { goalId: hold.goalId, agentId: { in: await listAgentsOfOwner(tx, payment) }, state: 'credited' },
    data: { state: 'refunded', paidAmount: null },
  })
}

async function postReversal(tx: Context, payment: CardPayment): Promise<void> {
  const reversal = payment.objectId ?? ''
  await postCardTransfer(tx, {
    key: `reversal:${reversal}`,
    goalId: payment.goalId,
    memo: 'A share is taken back from its publisher.',
    tx: reversal,
    moves: [{ from: payeeAccount(payment.ownerId ?? ''), to: cardAccounts(payment.goalId).loss, cents: payment.cents }],
  })
}
