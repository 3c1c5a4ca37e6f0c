import { canFollow } from '@parley/protocol'
import type { CardCall, CardKind, CardObject } from '../../ports.ts'

/**
 * A payment request to Stripe, stored before it is sent (transactional outbox). `intent`: requested, may be waiting. `prepared`:
 * idempotency key and request are stored. `submitted`: may have been sent, always with that key. `seen`: Stripe has the object.
 * `final`: Stripe has completed it. `posted`: in the ledger. A rejected request is repeated with a new key; one without an answer
 * only with the same key.
 */
export const cardPaymentStates = ['intent', 'prepared', 'submitted', 'seen', 'final', 'posted', 'failed_retryable', 'failed_final'] as const
export type CardPaymentState = (typeof cardPaymentStates)[number]
export const cardPaymentTransitions: { readonly [state in CardPaymentState]: readonly CardPaymentState[] } = {
  intent: ['prepared', 'failed_final'],
  prepared: ['submitted'],
  submitted: ['submitted', 'intent', 'seen', 'final', 'failed_retryable', 'failed_final'],
  seen: ['seen', 'final', 'failed_final'],
  final: ['posted'],
  posted: [],
  failed_retryable: ['prepared', 'failed_final'],
  // Stripe's report counts even after a failure, and an operator may retry.
  failed_final: ['seen', 'final', 'failed_retryable'],
}

export type CardPayment = {
  readonly id: string
  /** Idempotency key of the effect in our database. */
  readonly key: string
  readonly kind: CardKind
  readonly goalId: string
  readonly cents: bigint
  readonly ownerId: string | null
  readonly subject: string | null
  readonly state: CardPaymentState
  /** Number of idempotency keys used. */
  readonly attempt: number
  readonly idempotencyKey: string | null
  readonly call: CardCall | null
  readonly preparedAt: Date | null
  readonly retryAt: Date | null
  readonly objectId: string | null
  readonly url: string | null
  readonly failure: string | null
  readonly paidIntent: string | null
  readonly paidCharge: string | null
  /** Stripe's fee on the charge, in cents. */
  readonly paidFeeCents: bigint | null
  readonly claimBy: Date | null
  readonly createdAt: Date
}

export type CardPaymentEvent =
  | { readonly type: 'prepare'; readonly call: CardCall; readonly at: Date }
  | { readonly type: 'submit' }
  | { readonly type: 'object'; readonly object: CardObject; readonly at: Date }
  | { readonly type: 'wait'; readonly sentence: string; readonly at: Date }
  | { readonly type: 'refuse'; readonly sentence: string; readonly remedy: 'time' | 'none'; readonly at: Date }
  | { readonly type: 'put_back'; readonly sentence: string; readonly claimBy: Date }
  | { readonly type: 'end'; readonly failure: string }
  | { readonly type: 'reopen' }
  | { readonly type: 'post' }

/** Stripe forgets idempotency keys after 24 hours. We stop an hour earlier. */
const idempotencyKeyLifetimeMs = 23 * 3_600_000
/** Maximum exponent of the exponential backoff. */
const maxDoublings = 10
/** Poll interval for objects whose webhook may be lost. */
const pollIntervalMs = 60_000

/** Whether Stripe may have forgotten the key, so that a repetition could pay twice. */
export function isIdempotencyKeyExpired(payment: CardPayment, now: Date): boolean {
  return payment.preparedAt !== null && now.getTime() - payment.preparedAt.getTime() >= idempotencyKeyLifetimeMs
}

/** Whether the payment has reached a terminal state. */
export function isFinished(payment: Pick<CardPayment, 'state'>): boolean {
  return payment.state === 'posted' || payment.state === 'failed_final'
}

const refundCreditPrefix = 'refund-credit:'

/** Key of the credit that replaces a failed refund. */
export function refundCreditKey(refund: Pick<CardPayment, 'key'>): string {
  return `${refundCreditPrefix}${refund.key}`
}

/** A client's credit does not expire, because it is their own money. */
export function isRefundCredit(payment: Pick<CardPayment, 'key'>): boolean {
  return payment.key.startsWith(refundCreditPrefix)
}

/** Stripe idempotency key of the n-th attempt: the payment's id, then `…#2`. */
export function idempotencyKeyOf(id: string, attempt: number): string {
  return attempt === 1 ? id : `${id}#${attempt}`
}

/** The payment after the event, or null if nothing changes. An unknown transition is a bug. */
export function advancePayment(payment: CardPayment, event: CardPaymentEvent): CardPayment | null {
  const to = (state: CardPaymentState, columns: Partial<CardPayment> = {}): CardPayment => {
    if (!canFollow(cardPaymentTransitions, payment.state, state))
      throw new Error(`card payment ${payment.key} can't go from ${payment.state} to ${state}`)
    return { ...payment, ...columns, state }
  }
  switch (event.type) {
    case 'prepare': {
      const attempt = payment.attempt + 1
      const idempotencyKey = idempotencyKeyOf(payment.id, attempt)
      return to('prepared', { attempt, idempotencyKey, call: event.call, preparedAt: event.at, retryAt: null, failure: null })
    }
    case 'submit':
      return to('submitted')
    case 'object':
      return applyObject(payment, event.object, event.at, to)
    case 'wait':
      return to('submitted', { failure: event.sentence, retryAt: delayedBy(event.at, sinceMs(payment, event.at) / 2, 60_000) })
    case 'refuse':
      if (event.remedy === 'none') return to('failed_final', { failure: event.sentence, retryAt: null })
      // A transient failure is retried without a maximum. Otherwise the hold would need an operator.
      return to('failed_retryable', {
        failure: event.sentence,
        retryAt: delayedBy(event.at, 30_000 * 2 ** Math.min(payment.attempt, maxDoublings), 6 * 3_600_000),
      })
    case 'put_back':
      return to('intent', { failure: event.sentence, claimBy: event.claimBy, retryAt: null })
    case 'end':
      return to('failed_final', { failure: event.failure, retryAt: null, url: null })
    case 'reopen':
      return to('failed_retryable', { retryAt: null })
    case 'post':
      return to('posted', { retryAt: null, url: null, failure: null })
    default:
      return event satisfies never
  }
}

type To = (state: CardPaymentState, columns?: Partial<CardPayment>) => CardPayment

function applyObject(payment: CardPayment, object: CardObject, at: Date, to: To): CardPayment | null {
  if (payment.state === 'final' || payment.state === 'posted') return null
  const { payment: paid } = object
  const known = {
    objectId: object.id,
    url: object.url,
    paidIntent: paid?.intent ?? null,
    paidCharge: paid?.charge ?? null,
    paidFeeCents: paid?.feeCents ?? null,
    retryAt: null,
    failure: null,
  }
  switch (object.state) {
    case 'done':
      return to('final', known)
    case 'pending':
      return to('seen', { ...known, retryAt: delayedBy(at, pollIntervalMs, pollIntervalMs) })
    case 'failed':
      if (payment.state === 'failed_final') return null
      return to('failed_final', { ...known, url: null, failure: object.failure ?? 'Stripe reported a failure without a reason.' })
    default:
      return object.state satisfies never
  }
}

function sinceMs(payment: CardPayment, now: Date): number {
  return now.getTime() - (payment.preparedAt ?? now).getTime()
}

function delayedBy(at: Date, ms: number, maxMs: number): Date {
  return new Date(at.getTime() + Math.min(Math.max(ms, 250), maxMs))
}

/** Describes how Stripe's object differs from the request; null if it matches. */
export function findMismatch(payment: CardPayment, object: CardObject): string | null {
  if (object.kind !== payment.kind) return `Stripe's object ${object.id} is a ${object.kind}.`
  if (object.goalId !== payment.goalId || object.paymentId !== payment.id) return `Stripe's object ${object.id} is not about this payment.`
  if (object.currency !== 'usd') return `Stripe's object ${object.id} is in ${object.currency}.`
  if (object.cents !== payment.cents) return `Stripe's object ${object.id} is over ${object.cents} cents, not ${payment.cents}.`
  return null
}
