import type Stripe from 'stripe'
import { invalidRequest, missingObject } from './api-error.ts'
import { addBalanceEntry, balanceOf } from './balance.ts'
import { type FormFields, numberOf, readText, textsOf } from './decode-form.ts'
import type { FakeContext } from './fake-context.ts'
import type { Charge, Refund, Reversal, StripeDispute, Transfer } from './state.ts'

/** Banks allow about three weeks. */
const evidenceSeconds = 21 * 86_400
/** The maximum length of a text field. */
const maxEvidenceCharacters = 20_000

function chargeOf(context: FakeContext, id: string): Charge {
  const charge = context.state.charges.find((one) => one.id === id)
  if (!charge) throw missingObject('charge', id)
  return charge
}

function amountOf(fields: FormFields): number {
  const amount = numberOf(fields, 'amount')
  if (amount === null || !Number.isInteger(amount) || amount < 1)
    throw invalidRequest('parameter_invalid_integer', 'Invalid positive integer')
  return amount
}

export function createTransfer(context: FakeContext, fields: FormFields): Transfer {
  const amount = amountOf(fields)
  const destination = readText(fields, 'destination') ?? ''
  const account = context.state.accounts.find((one) => one.id === destination)
  if (!account) throw missingObject('destination', destination)
  const status = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status
  if (status !== 'active')
    throw invalidRequest(
      'insufficient_capabilities_for_transfer',
      'Your destination account needs to have the transfers capability enabled.',
    )
  const source = readText(fields, 'source_transaction')
  if (source === null) throw invalidRequest('balance_insufficient', 'The fake only sends on what a charge has brought in.')
  // A transfer of a pending charge waits with it. A transfer beyond the available balance fails.
  const { available, pending } = balanceOf(context)
  if (amount > available + pending)
    throw invalidRequest('balance_insufficient', 'You have insufficient available funds in your Stripe account.')
  const charge = chargeOf(context, source)
  const sent = context.state.transfers.filter((one) => one.source_transaction === source).reduce((sum, one) => sum + one.amount, 0)
  if (sent + charge.amount_refunded + amount > charge.amount)
    throw invalidRequest('balance_insufficient', 'The transfers of a charge cannot come to more than the charge.')
  const transfer: Transfer = {
    id: context.next('tr'),
    object: 'transfer',
    amount,
    amount_reversed: 0,
    created: context.now(),
    currency: readText(fields, 'currency') ?? '',
    livemode: false,
    metadata: textsOf(fields, 'metadata'),
    reversed: false,
    transfer_group: readText(fields, 'transfer_group'),
    destination,
    source_transaction: source,
  }
  context.state.transfers.push(transfer)
  addBalanceEntry(context, { type: 'transfer', source: transfer.id, amount: -amount })
  context.notify('transfer.created', transfer)
  return transfer
}

export function getTransfer(context: FakeContext, id: string): Transfer {
  const transfer = context.state.transfers.find((one) => one.id === id)
  if (!transfer) throw missingObject('transfer', id)
  return transfer
}

export function createReversal(context: FakeContext, id: string, fields: FormFields): Reversal {
  const transfer = getTransfer(context, id)
  const amount = amountOf(fields)
  if (transfer.amount_reversed + amount > transfer.amount)
    throw invalidRequest('parameter_invalid_integer', 'The transfer was reversed to that amount already.')
  const sent = context.state.transfers
    .filter((one) => one.destination === transfer.destination)
    .reduce((sum, one) => sum + one.amount - one.amount_reversed, 0)
  if (sent - (context.state.paidOut[transfer.destination] ?? 0) < amount)
    throw invalidRequest('balance_insufficient', 'The connected account has insufficient funds to reverse the transfer.')
  const reversal: Reversal = {
    id: context.next('trr'),
    object: 'transfer_reversal',
    amount,
    created: context.now(),
    currency: transfer.currency,
    metadata: textsOf(fields, 'metadata'),
    transfer: id,
  }
  transfer.amount_reversed += amount
  transfer.reversed = transfer.amount_reversed === transfer.amount
  context.state.reversals.push(reversal)
  addBalanceEntry(context, { type: 'transfer_refund', source: reversal.id, amount })
  context.notify('transfer.reversed', transfer)
  return reversal
}

export function createRefund(context: FakeContext, fields: FormFields, isSlow: boolean): Refund {
  const intent = readText(fields, 'payment_intent') ?? ''
  const charge = context.state.charges.find((one) => one.payment_intent === intent)
  if (!charge) throw missingObject('payment_intent', intent)
  const amount = amountOf(fields)
  if (charge.disputed) throw invalidRequest('charge_disputed', 'The charge is disputed: its money is with the bank.')
  if (charge.amount_refunded + amount > charge.amount)
    throw invalidRequest('charge_already_refunded', 'The refund is more than what is left of the charge.')
  const { available, pending } = balanceOf(context)
  // A refund that the balance cannot cover stays pending, as at Stripe.
  const isShort = available + pending < amount
  const refund: Refund = {
    id: context.next('re'),
    object: 'refund',
    amount,
    created: context.now(),
    currency: charge.currency,
    metadata: textsOf(fields, 'metadata'),
    reason: null,
    status: isSlow || isShort ? 'pending' : 'succeeded',
    charge: charge.id,
    payment_intent: intent,
  }
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  context.state.refunds.push(refund)
  addBalanceEntry(context, { type: 'refund', source: refund.id, amount: -amount })
  context.notify('refund.created', refund)
  return refund
}

export function getRefund(context: FakeContext, id: string): Refund {
  const refund = context.state.refunds.find((one) => one.id === id)
  if (!refund) throw missingObject('refund', id)
  return refund
}

/** A slow refund succeeded, or the bank rejected it. */
export function endRefund(context: FakeContext, id: string, succeeded: boolean): void {
  const refund = getRefund(context, id)
  if (refund.status !== 'pending') throw invalidRequest('refund_unexpected_state', 'This refund is not under way.')
  refund.status = succeeded ? 'succeeded' : 'failed'
  if (!succeeded) {
    refund.failure_reason = 'lost_or_stolen_card'
    const charge = chargeOf(context, refund.charge)
    charge.amount_refunded -= refund.amount
    addBalanceEntry(context, { type: 'refund_failure', source: refund.id, amount: refund.amount })
  }
  context.notify('refund.updated', refund)
}

/** The client's bank takes the payment back until the dispute is decided. */
export function openChargeback(context: FakeContext, intent: string): StripeDispute {
  const charge = context.state.charges.find((one) => one.payment_intent === intent)
  if (!charge) throw missingObject('payment_intent', intent)
  if (charge.disputed) throw invalidRequest('charge_disputed', 'The charge is disputed already.')
  const dispute: StripeDispute = {
    id: context.next('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    created: context.now(),
    currency: charge.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    reason: 'product_not_received',
    status: 'needs_response',
    charge: charge.id,
    payment_intent: intent,
    evidence: {},
    evidence_details: { due_by: context.now() + evidenceSeconds, has_evidence: false, past_due: false, submission_count: 0 },
  }
  charge.disputed = true
  context.state.disputes.push(dispute)
  const entry = addBalanceEntry(context, { type: 'adjustment', source: dispute.id, amount: -dispute.amount, fee: 1_500 })
  dispute.balance_transactions.push(entry as Stripe.BalanceTransaction)
  context.notify('charge.dispute.created', dispute)
  context.notify('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** A dispute without evidence is lost at its deadline. */
export function getDispute(context: FakeContext, id: string): StripeDispute {
  const dispute = context.state.disputes.find((one) => one.id === id)
  if (!dispute) throw missingObject('dispute', id)
  const { due_by: dueBy } = dispute.evidence_details
  if (dispute.status === 'needs_response' && dueBy !== null && dueBy < context.now()) close(context, dispute, 'lost')
  return dispute
}

/** Stages evidence, and with `submit` sends it to the bank, once. */
export function updateDispute(context: FakeContext, id: string, fields: FormFields): StripeDispute {
  const dispute = getDispute(context, id)
  if (dispute.status !== 'needs_response') throw invalidRequest('dispute_closed', 'This dispute takes no evidence any more.')
  const evidence = textsOf(fields, 'evidence')
  if (Object.values(evidence).some((text) => text.length > maxEvidenceCharacters))
    throw invalidRequest('string_too_long', `A field of the evidence has at most ${maxEvidenceCharacters} characters.`)
  dispute.evidence = { ...dispute.evidence, ...evidence }
  dispute.evidence_details.has_evidence = Object.keys(dispute.evidence).length > 0
  if (readText(fields, 'submit') === 'true') {
    dispute.evidence_details.submission_count++
    dispute.status = 'under_review'
  }
  context.notify('charge.dispute.updated', dispute)
  return dispute
}

export function endDispute(context: FakeContext, id: string, status: 'won' | 'lost'): void {
  const dispute = getDispute(context, id)
  if (dispute.status !== 'needs_response' && dispute.status !== 'under_review')
    throw invalidRequest('dispute_closed', 'The bank has decided already.')
  close(context, dispute, status)
}

function close(context: FakeContext, dispute: StripeDispute, status: 'won' | 'lost'): void {
  dispute.status = status
  if (status === 'won') {
    chargeOf(context, dispute.charge).disputed = false
    addBalanceEntry(context, { type: 'adjustment', source: dispute.id, amount: dispute.amount })
    context.notify('charge.dispute.funds_reinstated', dispute)
  }
  context.notify('charge.dispute.closed', dispute)
}
