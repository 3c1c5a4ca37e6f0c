import { type Problem, type ProblemCode, problems } from '@parley/protocol'

export type Facts = { readonly [fact: string]: string | number | boolean | null }

/** An expected failure, as data. Modules throw it through the factories in their `errors.ts`; any other error is a bug. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ProblemCode
  readonly hint: string | undefined
  readonly facts: Facts
  /** The web's bundler may load this class twice in one process. Both copies are the same error type. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'DomainError' && 'code' in value && 'facts' in value
  }
  constructor(code: ProblemCode, detail: string, options: { hint?: string; facts?: Facts; cause?: unknown } = {}) {
    super(detail, { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.facts = options.facts ?? {}
  }
}

/** The seconds to wait before a retry; null if the error names none. */
export function retryAfterSeconds(error: unknown): number | null {
  const seconds = error instanceof DomainError ? error.facts.retry_after_seconds : null
  return typeof seconds === 'number' && seconds > 0 ? Math.ceil(seconds) : null
}

/** The RFC 9457 form. An error that is not a DomainError becomes an opaque bug with a correlation id. */
export function toProblem(error: unknown, instance: string): Problem {
  if (error instanceof DomainError) {
    const { status, retry } = problems[error.code]
    return {
      type: `/problems/${error.code}`,
      title: error.code.replace('.', ': ').replaceAll('_', ' '),
      status,
      detail: error.message,
      code: error.code,
      retry,
      ...(retryAfterSeconds(error) === null ? {} : { retry_after: retryAfterSeconds(error) ?? 0 }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(Object.keys(error.facts).length === 0 ? {} : { facts: { ...error.facts } }),
      instance,
    }
  }
  if (isDatabaseAway(error)) return toProblem(serverUnavailable(error), instance)
  return {
    type: '/problems/server.internal_error',
    title: 'server: bug',
    status: 500,
    detail: 'The server has a bug. Nothing was changed.',
    code: 'server.internal_error',
    retry: 'later',
    instance,
  }
}

/** Optimistic locking: another transaction changed the row after it was read. */
export function versionConflict(what: string): DomainError {
  return new DomainError('version.conflict', `${what} changed at the same time.`, {
    hint: 'Read it again, then repeat the request.',
  })
}

/** The database cannot be reached, or it was lost before the outcome of a transaction was known. */
export function serverUnavailable(cause: unknown): DomainError {
  return new DomainError('server.unavailable', 'The server cannot confirm the request now.', {
    hint: 'Repeat the same request with the same id. It takes effect once.',
    cause,
  })
}

const unreachableCodes = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']

/** Messages of the driver that have no error code. */
const connectionLostPattern =
  /Connection terminated|Server has closed the connection|timeout exceeded when trying to connect|Can't reach database server/

/**
 * Whether the database was unreachable, lost, had no free connection, or was stopping, starting, full or a read-only standby. Matches by
 * name, so that callers need not import the client.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (connectionLostPattern.test(error.message)) return true
  if (!error.name.startsWith('PrismaClient')) return false
  if (error.name === 'PrismaClientInitializationError') return true
  const code = 'code' in error ? String(error.code) : ''
  return unreachableCodes.includes(code) || /Code: `(08\w{3}|53\w{3}|57\w{3}|58\w{3}|25006)`/.test(error.message)
}
