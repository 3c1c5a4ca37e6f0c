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

function chargeOf(world: FakeContext, id: string): Charge {
  const charge = world.state.charges.find((one) => one.id === id)
  if (!charge) throw missingObject('charge', id)
  return charge
}

function amountOf(fields: FormFields): number {
  const amount = numberOf(fields, 'amount')
  if (amount === null || !Number.isInteger(amount) || amount < 1)
    throw invalidRequest('parameter_invalid_integer', 'Invalid positive integer')
  return amount
}

export function createTransfer(world: FakeContext, fields: FormFields): Transfer {
  const amount = amountOf(fields)
  const destination = readText(fields, 'destination') ?? ''
  const account = world.state.accounts.find((one) => one.id === destination)
  if (!account) throw missingObject('destination', destination)
  const status = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status
  if (status !== 'active')
    throw invalidRequest(
      'insufficient_capabilities_for_transfer',
      'Your destination account needs to have the transfers capability enabled.',
    )
  const source = readText(fields, 'source_transaction')
  if (source === null) throw invalidRequest('balance_insufficient', 'The double only sends on what a charge has brought in.')
  // A transfer of a pending charge waits with it. A transfer beyond the available balance fails.
  const { available, pending } = balanceOf(world)
  if (amount > available + pending)
    throw invalidRequest('balance_insufficient', 'You have insufficient available funds in your Stripe account.')
  const charge = chargeOf(world, source)
  const sent = world.state.transfers.filter((one) => one.source_transaction === source).reduce((sum, one) => sum + one.amount, 0)
  if (sent + charge.amount_refunded + amount > charge.amount)
    throw invalidRequest('balance_insufficient', 'The transfers of a charge cannot come to more than the charge.')
  const transfer: Transfer = {
    id: world.next('tr'),
    object: 'transfer',
    amount,
    amount_reversed: 0,
    created: world.now(),
    currency: readText(fields, 'currency') ?? '',
    livemode: false,
    metadata: textsOf(fields, 'metadata'),
    reversed: false,
    transfer_group: readText(fields, 'transfer_group'),
    destination,
    source_transaction: source,
  }
  world.state.transfers.push(transfer)
  addBalanceEntry(world, { type: 'transfer', source: transfer.id, amount: -amount })
  world.notify('transfer.created', transfer)
  return transfer
}

export function getTransfer(world: FakeContext, id: string): Transfer {
  const transfer = world.state.transfers.find((one) => one.id === id)
  if (!transfer) throw missingObject('transfer', id)
  return transfer
}

export function createReversal(world: FakeContext, id: string, fields: FormFields): Reversal {
  const transfer = getTransfer(world, id)
  const amount = amountOf(fields)
  if (transfer.amount_reversed + amount > transfer.amount)
    throw invalidRequest('parameter_invalid_integer', 'The transfer was reversed to that amount already.')
  const sent = world.state.transfers
    .filter((one) => one.destination === transfer.destination)
    .reduce((sum, one) => sum + one.amount - one.amount_reversed, 0)
  if (sent - (world.state.paidOut[transfer.destination] ?? 0) < amount)
    throw invalidRequest('balance_insufficient', 'The connected account has insufficient funds to reverse the transfer.')
  const reversal: Reversal = {
    id: world.next('trr'),
    object: 'transfer_reversal',
    amount,
    created: world.now(),
    currency: transfer.currency,
    metadata: textsOf(fields, 'metadata'),
    transfer: id,
  }
  transfer.amount_reversed += amount
  transfer.reversed = transfer.amount_reversed === transfer.amount
  world.state.reversals.push(reversal)
  addBalanceEntry(world, { type: 'transfer_refund', source: reversal.id, amount })
  world.notify('transfer.reversed', transfer)
  return reversal
}

export function createRefund(world: FakeContext, fields: FormFields, isSlow: boolean): Refund {
  const intent = readText(fields, 'payment_intent') ?? ''
  const charge = world.state.charges.find((one) => one.payment_intent === intent)
  if (!charge) throw missingObject('payment_intent', intent)
  const amount = amountOf(fields)
  if (charge.disputed) throw invalidRequest('charge_disputed', 'The charge is disputed: its money is with the bank.')
  if (charge.amount_refunded + amount > charge.amount)
    throw invalidRequest('charge_already_refunded', 'The refund is more than what is left of the charge.')
  const { available, pending } = balanceOf(world)
  // A refund that the balance cannot cover stays pending, as at Stripe.
  const isShort = available + pending < amount
  const refund: Refund = {
    id: world.next('re'),
    object: 'refund',
    amount,
    created: world.now(),
    currency: charge.currency,
    metadata: textsOf(fields, 'metadata'),
    reason: null,
    status: isSlow || isShort ? 'pending' : 'succeeded',
    charge: charge.id,
    payment_intent: intent,
  }
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  world.state.refunds.push(refund)
  addBalanceEntry(world, { type: 'refund', source: refund.id, amount: -amount })
  world.notify('refund.created', refund)
  return refund
}

export function getRefund(world: FakeContext, id: string): Refund {
  const refund = world.state.refunds.find((one) => one.id === id)
  if (!refund) throw missingObject('refund', id)
  return refund
}

/** A slow refund succeeded, or the bank rejected it. */
export function endRefund(world: FakeContext, id: string, succeeded: boolean): void {
  const refund = getRefund(world, id)
  if (refund.status !== 'pending') throw invalidRequest('refund_unexpected_state', 'This refund is not under way.')
  refund.status = succeeded ? 'succeeded' : 'failed'
  if (!succeeded) {
    refund.failure_reason = 'lost_or_stolen_card'
    const charge = chargeOf(world, refund.charge)
    charge.amount_refunded -= refund.amount
    addBalanceEntry(world, { type: 'refund_failure', source: refund.id, amount: refund.amount })
  }
  world.notify('refund.updated', refund)
}

/** The client's bank takes the payment back until the dispute is decided. */
export function openChargeback(world: FakeContext, intent: string): StripeDispute {
  const charge = world.state.charges.find((one) => one.payment_intent === intent)
  if (!charge) throw missingObject('payment_intent', intent)
  if (charge.disputed) throw invalidRequest('charge_disputed', 'The charge is disputed already.')
  const dispute: StripeDispute = {
    id: world.next('du'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    balance_transactions: [],
    created: world.now(),
    currency: charge.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    reason: 'product_not_received',
    status: 'needs_response',
    charge: charge.id,
    payment_intent: intent,
    evidence: {},
    evidence_details: { due_by: world.now() + evidenceSeconds, has_evidence: false, past_due: false, submission_count: 0 },
  }
  charge.disputed = true
  world.state.disputes.push(dispute)
  const entry = addBalanceEntry(world, { type: 'adjustment', source: dispute.id, amount: -dispute.amount, fee: 1_500 })
  dispute.balance_transactions.push(entry as Stripe.BalanceTransaction)
  world.notify('charge.dispute.created', dispute)
  world.notify('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** A dispute without evidence is lost at its deadline. */
export function getDispute(world: FakeContext, id: string): StripeDispute {
  const dispute = world.state.disputes.find((one) => one.id === id)
  if (!dispute) throw missingObject('dispute', id)
  const { due_by: dueBy } = dispute.evidence_details
  if (dispute.status === 'needs_response' && dueBy !== null && dueBy < world.now()) close(world, dispute, 'lost')
  return dispute
}

/** Stages evidence, and with `submit` sends it to the bank, once. */
export function updateDispute(world: FakeContext, id: string, fields: FormFields): StripeDispute {
  const dispute = getDispute(world, id)
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
  world.notify('charge.dispute.updated', dispute)
  return dispute
}

export function endDispute(world: FakeContext, id: string, status: 'won' | 'lost'): void {
  const dispute = getDispute(world, id)
  if (dispute.status !== 'needs_response' && dispute.status !== 'under_review')
    throw invalidRequest('dispute_closed', 'The bank has decided already.')
  close(world, dispute, status)
}

function close(world: FakeContext, dispute: StripeDispute, status: 'won' | 'lost'): void {
  dispute.status = status
  if (status === 'won') {
    chargeOf(world, dispute.charge).disputed = false
    addBalanceEntry(world, { type: 'adjustment', source: dispute.id, amount: dispute.amount })
    world.notify('charge.dispute.funds_reinstated', dispute)
  }
  world.notify('charge.dispute.closed', dispute)
}
