import Stripe from 'stripe'
import type { CardAnswer, CardObject } from '../../ports.ts'
import { cardUnavailable } from '../errors.ts'

const { errors } = Stripe

/** Errors that the publisher must resolve. */
const accountErrors = new Set([
  'account_invalid',
  'account_closed',
  'no_account',
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'payouts_not_allowed',
])
/** Transient errors: our balance, or a payment that has not settled yet. */
const transientErrors = new Set([
  'balance_insufficient',
  'insufficient_funds',
  'charge_not_settled',
  'pending_balance_insufficient',
  'charge_disputed',
])

/** Maps the outcome of a Stripe write to an answer. Throws only on bugs. */
export async function toCardAnswer(sent: Promise<CardObject>): Promise<CardAnswer> {
  try {
    return { answer: 'object', object: await sent }
  } catch (error) {
    return decodeFailure(error)
  }
}

/** Order matters: an idempotency error is also a request error. */
function decodeFailure(error: unknown): CardAnswer {
  if (!(error instanceof errors.StripeError)) throw error
  const sentence = error.message
  const { code = '', statusCode = 0 } = error
  // Another process uses the same idempotency key at this moment; Stripe reports a conflict.
  if (code === 'idempotency_key_in_use' || code === 'lock_timeout' || statusCode === 409) return { answer: 'later', sentence }
  if (error instanceof errors.StripeRateLimitError || statusCode === 429) return { answer: 'later', sentence }
  // Our API key is revoked or lacks a permission, so Stripe started nothing.
  if (statusCode === 401 || statusCode === 403) return { answer: 'later', sentence }
  if (error instanceof errors.StripeIdempotencyError) return { answer: 'refused', sentence, remedy: 'none' }
  if (statusCode >= 400 && statusCode < 500)
    return { answer: 'refused', sentence, remedy: accountErrors.has(code) ? 'account' : transientErrors.has(code) ? 'time' : 'none' }
  return { answer: 'unknown', sentence }
}

/** Awaits a Stripe query. Maps every failure to `hold.card_unavailable`. */
export async function mapStripeErrors<T>(request: PromiseLike<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw error instanceof errors.StripeError ? cardUnavailable(error) : error
  }
}
