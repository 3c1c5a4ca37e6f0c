import { encodeWireValue, jsonFault, type Problem, type ProblemCode, problems } from '@parley/protocol'
import { initTRPC, TRPCError } from '@trpc/server'
import { ZodError } from 'zod'
import { findInvisible, requireVisibleIds } from '../commands/index.ts'
import { DomainError, retryAfterSeconds, toProblem } from '../errors.ts'
import { admitRate, type CostClass } from '../policy/index.ts'
import { withSpan } from '../telemetry/index.ts'
import type { RequestContext } from './request-context.ts'
import { transformer } from './transformer.ts'

/** `rate`: the cost class of the request. */
type Meta = { readonly rate?: CostClass }

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    transformer,
    // A stream that ends by its age resumes at once after the page's last event.
    sse: {
      ping: { enabled: true, intervalMs: 15_000 },
      client: { reconnectAfterInactivityMs: 40_000 },
      maxDurationMs: 30 * 60_000,
    },
    errorFormatter({ shape, error, ctx }) {
      const problem = problemOf(error, ctx?.id ?? 'unknown')
      const { code, httpStatus, path } = shape.data
      // The message and stack of a bug stay on the server.
      return { code: shape.code, message: problem.detail, data: { code, httpStatus, path, problem } }
    },
  })

export const createRouter = t.router
export const createCallerFactory = t.createCallerFactory

/** The base of every procedure: limits the input, converts expected failures to problems, and logs everything else as a bug. */
const mapped = t.procedure.use(async ({ ctx, next, path, type, getRawInput }) => {
  const fault = jsonFault(await getRawInput())
  if (fault !== null) throw new TRPCError({ code: 'BAD_REQUEST', message: `This is not a value that we read: ${fault}.` })
  const result =
    type === 'mutation'
      ? await withSpan(ctx.ctx, { name: `web ${path}`, kind: 'server' }, (own) => next({ ctx: { ...ctx, ctx: own } }))
      : await next()
  if (result.ok) return result
  const { cause } = result.error
  const wait = retryAfterSeconds(cause)
  if (wait !== null) ctx.reply?.set('retry-after', String(wait))
  const failure = toTrpcError(cause)
  if (failure !== null) throw failure
  if (result.error.code === 'INTERNAL_SERVER_ERROR')
    ctx.ctx.log.error(
      { event: 'procedure.failed', err: cause ?? result.error, path, call: ctx.id },
      'A procedure failed with an unexpected error.',
    )
  return result
})

/**
 * Rate limiting: a query or the start of a stream counts as one read, unless `meta` names another class. A mutation counts in
 * `dispatchCommand`, or by `meta`. One that names what the actor may not see counts as a read.
 */
const limited = t.middleware(async ({ ctx, meta, next, type }) => {
  const rate = meta?.rate ?? (type === 'mutation' ? null : 'read')
  if (rate !== null) await admitRate(ctx.ctx, rate, ctx.source)
  return next()
})

/** All queries of one request share the size limit of the answer. Answers of mutations are short, and their effect has happened. */
const measured = t.middleware(async ({ ctx: { answer }, next, type }) => {
  if (answer === undefined || type !== 'query') return next()
  if (answer.left <= 0) throw answerTooLarge(answer.max)
  const result = await next()
  if (!result.ok) return result
  const bytes = Buffer.byteLength(JSON.stringify(encodeWireValue(result.data)))
  if (bytes > answer.left) throw answerTooLarge(answer.max)
  answer.left -= bytes
  return result
})

function answerTooLarge(maxBytes: number): DomainError {
  return new DomainError('request.too_large', `The response to this request has more than ${maxBytes} bytes.`, {
    hint: 'Request fewer procedures at once, or shorter pages.',
    facts: { max: maxBytes },
  })
}

/** An expected failure as a tRPC error; null for any other error. */
export function toTrpcError(error: unknown): TRPCError | null {
  if (!isDomainError(error)) return null
  return new TRPCError({ code: codeFor(problems[error.code].status), message: error.message, cause: error })
}

/** An id that the actor may not see is answered as not found, in every procedure. */
const visibleOnly = t.middleware(async ({ ctx, next, type, getRawInput }) => {
  const input = await getRawInput()
  if (type === 'mutation') {
    if ((await findInvisible(ctx.ctx, input)) === null) return next()
    // It reaches no command, which would count it.
    await admitRate(ctx.ctx, 'read', ctx.source)
    // After the end of a login, the page gets that reason and not that the goal is gone.
    if (ctx.ctx.actor.kind === 'anonymous') throw authRequired()
  }
  await requireVisibleIds(ctx.ctx, input)
  return next()
})

const baseProcedure = mapped.use(limited).use(measured)

/** For everyone. */
export const publicProcedure = baseProcedure.use(visibleOnly)

/** For signed-in people. This only helps the caller; `permit` in the command handler is the check. */
export const signedInProcedure = baseProcedure
  .use(async ({ ctx, next }) => {
    const { actor } = ctx.ctx
    if (actor.kind !== 'person') throw authRequired()
    return next({ ctx: { ...ctx, person: actor } })
  })
  .use(visibleOnly)

function authRequired(): DomainError {
  return new DomainError('auth.required', 'This request needs a login.', { hint: 'Sign in with your wallet, then repeat the request.' })
}

/** The bundler may load the class twice: once for pages and once for routes. */
function isDomainError(error: unknown): error is DomainError {
  return error instanceof DomainError || (error instanceof Error && error.name === 'DomainError' && 'code' in error)
}

function problemOf(error: TRPCError, instance: string): Problem {
  const { cause } = error
  if (isDomainError(cause)) return toProblem(new DomainError(cause.code, cause.message, optionsOf(cause)), instance)
  if (cause instanceof ZodError) {
    const issue = cause.issues[0]
    const where = issue?.path.join('.') ?? ''
    return toProblem(
      new DomainError('request.malformed', issue?.message ?? 'The request is malformed.', { facts: { field: where } }),
      instance,
    )
  }
  const code = codes[error.code]
  return toProblem(code ? new DomainError(code, error.message) : error, instance)
}

function optionsOf(error: DomainError) {
  return { facts: error.facts, ...(error.hint === undefined ? {} : { hint: error.hint }) }
}

const codes: { [code in TRPCError['code']]?: ProblemCode } = {
  BAD_REQUEST: 'request.malformed',
  UNSUPPORTED_MEDIA_TYPE: 'request.malformed',
  PARSE_ERROR: 'request.malformed',
  PAYLOAD_TOO_LARGE: 'request.too_large',
  UNAUTHORIZED: 'auth.required',
  FORBIDDEN: 'permission.denied',
  NOT_FOUND: 'request.unknown_command',
  METHOD_NOT_SUPPORTED: 'request.unknown_command',
  TOO_MANY_REQUESTS: 'rate.exceeded',
}

function codeFor(status: number): TRPCError['code'] {
  switch (status) {
    case 400:
      return 'BAD_REQUEST'
    case 401:
      return 'UNAUTHORIZED'
    case 403:
      return 'FORBIDDEN'
    case 404:
      return 'NOT_FOUND'
    case 409:
      return 'CONFLICT'
    case 413:
      return 'PAYLOAD_TOO_LARGE'
    case 422:
      return 'UNPROCESSABLE_CONTENT'
    case 429:
      return 'TOO_MANY_REQUESTS'
    case 503:
      return 'SERVICE_UNAVAILABLE'
    default:
      return 'INTERNAL_SERVER_ERROR'
  }
}
