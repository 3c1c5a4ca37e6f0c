import Stripe from 'stripe'
import type { CardAnswer, CardObject } from '../../ports.ts'
import { cardUnavailable } from '../errors.ts'

const { errors } = Stripe

/** Refusals that a publisher has to do something about. */
const accountErrors = new Set([
  'account_invalid',
  'account_closed',
  'no_account',
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'payouts_not_allowed',
])
/** Refusals that pass by themselves: our balance, or a payment that has not settled yet. */
const transientErrors = new Set([
  'balance_insufficient',
  'insufficient_funds',
  'charge_not_settled',
  'pending_balance_insufficient',
  'charge_disputed',
])

/** What a call that changes something came to. Nothing is thrown but bugs. */
export async function toCardAnswer(sent: Promise<CardObject>): Promise<CardAnswer> {
  try {
    return { answer: 'object', object: await sent }
  } catch (error) {
    return decodeFailure(error)
  }
}

/** The order matters: a used key is an error of the request, too. */
function decodeFailure(error: unknown): CardAnswer {
  if (!(error instanceof errors.StripeError)) throw error
  const sentence = error.message
  const { code = '', statusCode = 0 } = error
  // The same key is in another process's hands at this moment; Stripe tells it as a conflict.
  if (code === 'idempotency_key_in_use' || code === 'lock_timeout' || statusCode === 409) return { answer: 'later', sentence }
  if (error instanceof errors.StripeRateLimitError || statusCode === 429) return { answer: 'later', sentence }
  // A key of ours that was revoked or lacks a right: nothing was begun.
  if (statusCode === 401 || statusCode === 403) return { answer: 'later', sentence }
  if (error instanceof errors.StripeIdempotencyError) return { answer: 'refused', sentence, remedy: 'none' }
  if (statusCode >= 400 && statusCode < 500)
    return { answer: 'refused', sentence, remedy: accountErrors.has(code) ? 'account' : transientErrors.has(code) ? 'time' : 'none' }
  return { answer: 'unknown', sentence }
}

/** Awaits an answer to a question; every failure to get one is `hold.card_unavailable`. */
export async function mapStripeErrors<T>(asked: PromiseLike<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw error instanceof errors.StripeError ? cardUnavailable(error) : error
  }
}
