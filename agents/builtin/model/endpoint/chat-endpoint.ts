/**
 * Requests to the configured endpoint. Each is limited in time and bytes, and repeated with back-off if a repetition can help. An
 * endpoint that refuses a feature of the request gets the same request without it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { limitResponses, maxAnswerBytes } from './limit-response.ts'
import { type ModelCompletion, parseCompletion } from './parse-completion.ts'
import { UnusableAnswerError } from './unusable-answer-error.ts'

export type EndpointOptions = {
  readonly apiKey: string
  readonly baseURL?: string | undefined
  readonly model: string
  readonly timeoutMs?: number
  /** First delay before a repetition. */
  readonly backoffMs?: number
}

export type CompletionRequest = Omit<
  ChatCompletionCreateParamsNonStreaming,
  'model' | 'max_tokens' | 'max_completion_tokens' | 'stream'
> & {
  readonly maxOutputTokens?: number
}

export type ChatEndpoint = {
  /** @throws {UnusableAnswerError} after the last attempt */
  complete(request: CompletionRequest, signal?: AbortSignal): Promise<ModelCompletion>
}

/** Attempts of one request, the first included. */
export const maxAttempts = 3
const maxRetryAfterMs = 10_000
const defaultTimeoutMs = 60_000

/** What the endpoint has accepted so far. */
type Features = { hasFormat: boolean; tokenField: 'max_tokens' | 'max_completion_tokens' }

export function createChatEndpoint({
  apiKey,
  baseURL,
  model,
  timeoutMs = defaultTimeoutMs,
  backoffMs = 500,
}: EndpointOptions): ChatEndpoint {
  const limited = limitResponses({ timeoutMs, maxBytes: maxAnswerBytes })
  const client = new OpenAI({ apiKey, ...(baseURL && { baseURL }), timeout: timeoutMs, maxRetries: 0, fetch: limited })
  // OpenAI's newer models refuse the older field, and most other runtimes know only that one.
  const features: Features = { hasFormat: true, tokenField: baseURL ? 'max_tokens' : 'max_completion_tokens' }

  async function send(request: CompletionRequest, signal?: AbortSignal): Promise<ModelCompletion> {
    const { maxOutputTokens, response_format, ...rest } = request
    const answer: unknown = await client.chat.completions.create(
      {
        ...{ ...rest, model },
        ...(features.hasFormat && response_format && { response_format }),
        ...(maxOutputTokens !== undefined && { [features.tokenField]: maxOutputTokens }),
      },
      { signal },
    )
    return parseCompletion(answer)
  }

  return {
    async complete(request, signal) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await send(request, signal)
        } catch (error) {
          if (signal?.aborted) throw new UnusableAnswerError('the time of the task ended')
          if (adaptTo(error, request, features)) continue
          if (attempt >= maxAttempts || !isWorthRepeating(error)) throw toModelError(error)
          await sleep(delayBefore(attempt, error, backoffMs), undefined, { signal }).catch(() => undefined)
        }
      }
    },
  }
}

/** True if the error names a feature that the next request leaves out. Each feature changes at most once. */
function adaptTo(error: unknown, { response_format, maxOutputTokens }: CompletionRequest, features: Features): boolean {
  if (!(error instanceof OpenAI.APIError) || (error.status !== 400 && error.status !== 422)) return false
  if (maxOutputTokens !== undefined && features.tokenField === 'max_completion_tokens' && /max_completion_tokens/.test(error.message)) {
    features.tokenField = 'max_tokens'
    return true
  }
  if (response_format && features.hasFormat && /response_format|json_schema|format|schema|grammar/i.test(error.message)) {
    features.hasFormat = false
    return true
  }
  return false
}

/** Statuses after which the same request may succeed. */
const passing = new Set([408, 409, 425, 429])

function isWorthRepeating(error: unknown): boolean {
  if (error instanceof UnusableAnswerError) return !error.message.startsWith('it declined')
  if (!(error instanceof OpenAI.APIError) || error.status === undefined) return true
  return passing.has(error.status) || error.status >= 500
}

/** Exponential back-off with jitter, or what the endpoint asks for. */
function delayBefore(attempt: number, error: unknown, backoffMs: number): number {
  const asked = error instanceof OpenAI.APIError ? Number(error.headers?.get('retry-after') ?? Number.NaN) * 1_000 : Number.NaN
  const own = backoffMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  return asked > 0 ? Math.min(asked, maxRetryAfterMs) : own
}

function toModelError(error: unknown): UnusableAnswerError {
  if (error instanceof UnusableAnswerError) return error
  if (error instanceof OpenAI.APIError && error.status !== undefined)
    return new UnusableAnswerError(
      `its endpoint answered with status ${error.status}${error.status === 401 || error.status === 403 ? ', so the key is wrong or has no right' : ''}`,
    )
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (error instanceof OpenAI.APIConnectionTimeoutError || (cause instanceof Error && /Timeout|Abort/.test(cause.name)))
    return new UnusableAnswerError('it took too long')
  if (cause instanceof RangeError) return new UnusableAnswerError(cause.message)
  return new UnusableAnswerError(cause instanceof SyntaxError ? 'its answer is not JSON' : 'it could not be reached')
}
