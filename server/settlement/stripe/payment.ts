import { canFollow } from '@parley/protocol'
import type { CardCall, CardKind, CardObject } from '../../ports.ts'

/**
 * Something that Stripe is asked to do. `intent`: wanted, perhaps waiting for something. `prepared`: key and content are
 * durable, and nothing was sent. `submitted`: it may have been sent, any number of times, under that one key. `seen`:
 * Stripe has it. `final`: Stripe says it is done. `posted`: it stands in the ledger. What Stripe has refused is asked again
 * under a further key; what it never answered is only ever asked under the same one.
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
  // Stripe's word stands, also where we had given up; and an operator may have it tried again.
  failed_final: ['seen', 'final', 'failed_retryable'],
}

export type CardPayment = {
  readonly id: string
  /** What it does, once. */
  readonly key: string
  readonly kind: CardKind
  readonly goalId: string
  readonly cents: bigint
  readonly ownerId: string | null
  readonly subject: string | null
  readonly state: CardPaymentState
  /** Counts the keys. */
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
  /** Cents that Stripe kept of the charge. */
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

/** Keys are forgotten by Stripe after a day: an hour before that, repeating them ends. */
const idempotencyKeyLifetimeMs = 23 * 3_600_000
/** The pause between attempts doubles up to its limit. */
const maxDoublings = 10
/** How often something is looked at that Stripe has, and of which it will tell us by itself. */
const pollIntervalMs = 60_000

/** Stripe may have forgotten the key: repeating it could do the thing twice. */
export function isIdempotencyKeyExpired(payment: CardPayment, now: Date): boolean {
  return payment.preparedAt !== null && now.getTime() - payment.preparedAt.getTime() >= idempotencyKeyLifetimeMs
}

/** Whether nothing can come of it any more. */
export function isFinished(payment: Pick<CardPayment, 'state'>): boolean {
  return payment.state === 'posted' || payment.state === 'failed_final'
}

const refundCreditPrefix = 'refund-credit:'

/** The key under which a refund that the card cannot take becomes the client's credit. */
export function refundCreditKey(refund: Pick<CardPayment, 'key'>): string {
  return `${refundCreditPrefix}${refund.key}`
}

/** A client's credit does not lapse: there is nobody else whose money it could be. */
export function isRefundCredit(payment: Pick<CardPayment, 'key'>): boolean {
  return payment.key.startsWith(refundCreditPrefix)
}

/** The key of the n-th attempt: the intent's own id, then `…#2`. */
export function idempotencyKeyOf(id: string, attempt: number): string {
  return attempt === 1 ? id : `${id}#${attempt}`
}

/** The payment after the event, or null where nothing changes. A step that the table doesn't know is a bug. */
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
      // What only needs time is retried until it is done: giving up would leave the hold to an operator.
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
      return to('failed_final', { ...known, url: null, failure: object.failure ?? 'Stripe could not do it.' })
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

/** Where what Stripe has made isn't what was asked for, in a sentence; null where it is. */
export function findMismatch(payment: CardPayment, object: CardObject): string | null {
  if (object.kind !== payment.kind) return `Stripe's object ${object.id} is a ${object.kind}.`
  if (object.goalId !== payment.goalId || object.paymentId !== payment.id) return `Stripe's object ${object.id} is not about this payment.`
  if (object.currency !== 'usd') return `Stripe's object ${object.id} is in ${object.currency}.`
  if (object.cents !== payment.cents) return `Stripe's object ${object.id} is over ${object.cents} cents, not ${payment.cents}.`
  return null
}
