import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { Span } from '../ports.ts'
import { childTrace, parseTraceparent } from './trace-context.ts'

export type SpanOptions = Pick<Span, 'name' | 'kind'> & { readonly attributes?: Span['attributes'] }

/** The same world within the trace that a header, an envelope or a job names; where it names none, or nobody collects, as it was. */
export function joinTrace(ctx: Context, traceparent: unknown): Context {
  if (ctx.ports.traces === null || traceparent === undefined || traceparent === null) return ctx
  const trace = parseTraceparent(traceparent)
  return trace ? { ...ctx, trace } : ctx
}

/**
 * Does the work as a span below the one that `ctx` is in, or as the first of a new trace. Where nobody collects spans, or
 * the trace was not sampled where it began, the work is done and nothing is made.
 */
export async function withSpan<T>(ctx: Context, span: SpanOptions, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { traces } = ctx.ports
  if (traces === null || ctx.trace?.isSampled === false) return work(ctx)
  const trace = childTrace(ctx.trace)
  const startedAt = now()
  const end = (error: string | null) =>
    traces.export({ ...trace, parentId: ctx.trace?.spanId ?? null, attributes: {}, ...span, startedAt, endedAt: now(), error })
  try {
    const result = await work({ ...ctx, trace })
    end(null)
    return result
  } catch (error) {
    end(error instanceof DomainError ? error.code : 'server.bug')
    throw error
  }
}

/** Something that is over and was not watched while it went on, told from what was written down of it. */
export function recordSpan(ctx: Context, span: SpanOptions & Pick<Span, 'startedAt' | 'error'>): void {
  const { traces } = ctx.ports
  if (traces === null || ctx.trace?.isSampled !== true) return
  traces.export({ ...childTrace(ctx.trace), parentId: ctx.trace.spanId, attributes: {}, ...span, endedAt: now() })
}

/** Milliseconds of Unix time, finer than the clock that verbs are given, which tests move. */
function now(): number {
  return performance.timeOrigin + performance.now()
}
