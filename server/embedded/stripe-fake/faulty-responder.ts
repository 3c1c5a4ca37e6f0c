import { invalidRequest, StripeApiError } from './api-error.ts'
import type { FakeContext } from './fake-context.ts'
import { operationOf, performOperation, type StripeOperation, type StripeRequest } from './perform-operation.ts'

/**
 * Injected faults. `refused`: 402. `rate_limited`: 429 before the operation. `broken`: 500 without effect; `broken_after`: 500 with
 * effect. `reply_lost`: with effect, and the connection closes. `silent`: no answer and no effect. `slow`: answers on `release`, while
 * the idempotency key is in use.
 */
export type FaultKind = 'refused' | 'rate_limited' | 'broken' | 'broken_after' | 'reply_lost' | 'silent' | 'slow'
export type Fault = { readonly on: StripeOperation; readonly kind: FaultKind; readonly code?: string; times: number }

type Result = { readonly status: number; readonly body: unknown }
/** Null: the connection closes. */
export type Answer = (Result & { readonly replayed?: boolean }) | null
/** The answer, and the record of its idempotency key. */
type Outcome = { readonly reply: Answer; readonly kept: Result }

/** Stripe forgets keys after a day. */
const keyLifeSeconds = 24 * 3_600

type Options = { readonly slowRefunds: boolean }
/** `inUse`: the idempotency keys of requests in progress. `waiting`: releases the answers that `slow` has held back. */
type Responder = {
  readonly context: FakeContext
  readonly options: Options
  readonly faults: Fault[]
  readonly inUse: Set<string>
  readonly waiting: (() => void)[]
}

/** Answers requests with Stripe's rules for idempotency keys, and with injected faults. */
export function createFaultyResponder(context: FakeContext, options: Options) {
  const responder: Responder = { context, options, faults: [], inUse: new Set(), waiting: [] }
  return {
    answer: (request: StripeRequest, key: string | null) =>
      key === null ? answerOnce(responder, request) : answerKeyed(responder, request, key),
    fault(on: StripeOperation, kind: FaultKind, extra: { times?: number; code?: string } = {}): void {
      responder.faults.push({ on, kind, times: extra.times ?? 1, ...(extra.code === undefined ? {} : { code: extra.code }) })
    },
    /** Sends the answers that `slow` has held back. */
    releaseHeldAnswers(): void {
      for (const release of responder.waiting.splice(0)) release()
    },
  }
}

async function answerOnce(responder: Responder, request: StripeRequest): Promise<Answer> {
  return (await run(responder, request, takeFault(responder, request))).reply
}

async function answerKeyed(responder: Responder, request: StripeRequest, key: string): Promise<Answer> {
  const { context, inUse } = responder
  const asked = `${request.method} ${request.path} ${JSON.stringify([request.fields, request.json])}`
  const kept = context.state.keys[key]
  if (kept && context.now() - kept.at < keyLifeSeconds)
    return kept.asked === asked ? { status: kept.status, body: kept.body, replayed: true } : failed(keyMismatch())
  if (inUse.has(key)) return failed(keyInUse())
  const fault = takeFault(responder, request)
  // Without an effect, the key stays unused.
  if (fault?.kind === 'rate_limited' || fault?.kind === 'silent') return (await run(responder, request, fault)).reply
  inUse.add(key)
  try {
    const { reply, kept: result } = await run(responder, request, fault)
    // API v2 does not store failures, so a repetition tries again.
    if (!(result.status >= 500 && request.path.startsWith('/v2/'))) context.state.keys[key] = { asked, ...result, at: context.now() }
    return reply
  } finally {
    inUse.delete(key)
  }
}

function takeFault({ faults }: Responder, request: StripeRequest): Fault | null {
  const on = operationOf(request)
  const fault = faults.find((one) => one.on === on && one.times > 0)
  if (!fault) return null
  fault.times--
  return fault
}

async function run(responder: Responder, request: StripeRequest, fault: Fault | null): Promise<Outcome> {
  if (fault === null) return both(attempt(responder, request))
  switch (fault.kind) {
    case 'refused':
      return both(failed(new StripeApiError(402, 'card_error', fault.code ?? 'card_declined', 'Refused on demand.')))
    case 'rate_limited':
      return both(failed(new StripeApiError(429, 'invalid_request_error', 'rate_limit', 'Too many requests.')))
    case 'broken':
      return both(broken)
    case 'broken_after':
      attempt(responder, request)
      return both(broken)
    case 'reply_lost':
      return { reply: null, kept: attempt(responder, request) }
    case 'silent':
      return new Promise(() => {})
    case 'slow':
      await new Promise<void>((release) => responder.waiting.push(release))
      return both(attempt(responder, request))
    default:
      return fault.kind satisfies never
  }
}

function attempt({ context, options }: Responder, request: StripeRequest): Result {
  try {
    return { status: 200, body: performOperation(context, request, options) }
  } catch (error) {
    if (error instanceof StripeApiError) return failed(error)
    if (error instanceof TypeError) return failed(invalidRequest('parameter_missing', error.message))
    throw error
  }
}

function keyMismatch(): StripeApiError {
  const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
  return new StripeApiError(400, 'idempotency_error', 'idempotency_error', message)
}

function keyInUse(): StripeApiError {
  return new StripeApiError(409, 'invalid_request_error', 'idempotency_key_in_use', 'Another request with this key is under way.')
}

const both = (result: Result): Outcome => ({ reply: result, kept: result })
const broken: Result = { status: 500, body: { error: { type: 'api_error', message: 'Something went wrong on our end.' } } }

function failed(refusal: StripeApiError): Result {
  return { status: refusal.status, body: refusal.body() }
}
