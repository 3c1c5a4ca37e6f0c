import { jsonFault } from '@parley/protocol'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { CardAccount, CardDispute, CardObject, CardWebhookEvent } from '../../ports.ts'

/** Maps Stripe's objects to the settlement module's types. */

const empty = { url: null, payment: null, failure: null, reversedCents: 0n }

function metadataOf(metadata: Stripe.Metadata | null) {
  return { goalId: metadata?.goal_id ?? null, paymentId: metadata?.payment_id ?? null }
}

function idOf(reference: string | { readonly id: string } | null | undefined): string {
  return typeof reference === 'string' ? reference : (reference?.id ?? '')
}

/** Needs the expanded payment intent, which contains the charge. */
export function mapStripeCheckout(session: Stripe.Checkout.Session): CardObject {
  const intent = session.payment_intent
  const isPaid = session.payment_status === 'paid' && intent !== null && typeof intent === 'object'
  const failure = checkoutFailure(session)
  return {
    ...empty,
    ...metadataOf(session.metadata),
    kind: 'checkout',
    id: session.id,
    cents: BigInt(session.amount_total ?? 0),
    currency: session.currency ?? '',
    state: isPaid ? 'done' : failure === null ? 'pending' : 'failed',
    failure,
    at: session.created,
    url: session.url,
    payment: isPaid ? { intent: intent.id, charge: idOf(intent.latest_charge), feeCents: feeOf(intent.latest_charge) } : null,
  }
}

/** Stripe's fee on a charge; zero while it is unknown. */
function feeOf(charge: Stripe.PaymentIntent['latest_charge']): bigint {
  if (charge === null || typeof charge === 'string') return 0n
  const entry = charge.balance_transaction
  return entry === null || typeof entry === 'string' ? 0n : BigInt(entry.fee)
}

/** A checkout session fails when it expires, or when a delayed payment fails. */
function checkoutFailure({ status, payment_intent: intent }: Stripe.Checkout.Session): string | null {
  if (status === 'expired') return 'The checkout page has expired.'
  const ended =
    intent !== null && typeof intent === 'object' && (intent.status === 'requires_payment_method' || intent.status === 'canceled')
  return status === 'complete' && ended ? 'The payment has failed in the end.' : null
}

/** A transfer is done as soon as Stripe has created it. */
export function mapStripeTransfer(transfer: Stripe.Transfer): CardObject {
  const { id, created, amount, currency } = transfer
  return {
    ...empty,
    ...metadataOf(transfer.metadata),
    kind: 'transfer',
    id,
    cents: BigInt(amount),
    currency,
    state: 'done',
    at: created,
    reversedCents: BigInt(transfer.amount_reversed),
  }
}

export function mapStripeReversal(reversal: Stripe.TransferReversal): CardObject {
  const { id, created, amount, currency } = reversal
  return { ...empty, ...metadataOf(reversal.metadata), kind: 'reversal', id, cents: BigInt(amount), currency, state: 'done', at: created }
}

const refundStates: { readonly [status: string]: CardObject['state'] } = { succeeded: 'done', failed: 'failed', canceled: 'failed' }

export function mapStripeRefund(refund: Stripe.Refund): CardObject {
  const { id, created, amount, currency, status } = refund
  return {
    ...empty,
    ...metadataOf(refund.metadata),
    kind: 'refund',
    id,
    cents: BigInt(amount),
    currency,
    state: refundStates[status ?? ''] ?? 'pending',
    failure: refund.failure_reason ?? null,
    at: created,
  }
}

/** Warnings are bank inquiries before a dispute. No money has moved yet. */
export function mapStripeDispute(dispute: Stripe.Dispute): CardDispute {
  const { id, amount, created, status } = dispute
  const isOver = status === 'won' || status === 'lost' || status === 'warning_closed' || status === 'prevented'
  const state = status === 'lost' ? 'lost' : isOver ? 'won' : 'open'
  const { due_by: dueBy, submission_count: submissions } = dispute.evidence_details
  return {
    id,
    cents: BigInt(amount),
    state,
    paymentIntent: idOf(dispute.payment_intent),
    at: created,
    feeCents: dispute.balance_transactions.reduce((sum, entry) => sum + BigInt(entry.fee), 0n),
    evidenceDueBy: dueBy === 0 ? null : dueBy,
    isEvidenceSubmitted: submissions > 0,
  }
}

export function mapStripeAccount(account: Stripe.V2.Core.Account): CardAccount {
  const transfers = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers
  const requirements = (account.requirements?.entries ?? []).map((entry) => entry.description)
  return { id: account.id, isReady: transfers?.status === 'active', requirements }
}

/** End of the year 9999. */
const lastSecond = 253_402_300_799
/** Stripe's names and ids have at most 255 characters. The event id becomes a job key, which is limited as well. */
const Name = z.string().max(255)
const Snapshot = z.looseObject({
  id: Name,
  object: z.literal('event'),
  type: Name,
  livemode: z.boolean(),
  created: z.int().nonnegative().max(lastSecond),
  account: Name.optional(),
  data: z.object({ object: z.looseObject({ object: Name.default(''), id: Name.default('') }) }),
})
/** Thin events of API v2 name their object and contain no more. */
const Thin = z.looseObject({
  id: Name,
  object: z.literal('v2.core.event'),
  type: Name,
  livemode: z.boolean(),
  created: z.iso.datetime(),
  context: Name.nullish(),
  related_object: z.object({ id: Name, type: Name }).nullish(),
})

/** Parses a webhook event of either form; null for anything else. */
export function parseWebhookEvent(body: string): CardWebhookEvent | null {
  const json = parse(body)
  const snapshot = Snapshot.safeParse(json)
  if (snapshot.success) {
    const { id, type, livemode, created, account = '', data } = snapshot.data
    return { id, type, isLive: livemode, account, object: data.object.object, objectId: data.object.id, at: created, body: snapshot.data }
  }
  const thin = Thin.safeParse(json)
  if (!thin.success) return null
  const { id, type, livemode, created, context, related_object } = thin.data
  return {
    id,
    type,
    isLive: livemode,
    account: context ?? '',
    object: related_object?.type ?? '',
    objectId: related_object?.id ?? '',
    at: Math.floor(Date.parse(created) / 1_000),
    body: thin.data,
  }
}

function parse(body: string): unknown {
  try {
    const json: unknown = JSON.parse(body)
    // The body is stored as JSON, and PostgreSQL does not accept all of JSON.
    return jsonFault(json) === null ? json : null
  } catch {
    return null
  }
}
