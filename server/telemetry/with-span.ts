import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import type { Span } from '../ports.ts'
import { childTraceContext, parseTraceparent } from './trace-context.ts'

export type SpanOptions = Pick<Span, 'name' | 'kind'> & { readonly attributes?: Span['attributes'] }

/** Context propagation: continues the trace that a header, envelope or job names. Unchanged if it names none, or without a collector. */
export function joinTrace(ctx: Context, traceparent: unknown): Context {
  if (ctx.ports.traces === null || traceparent === undefined || traceparent === null) return ctx
  const trace = parseTraceparent(traceparent)
  return trace ? { ...ctx, trace } : ctx
}

/**
 * Runs `work` as a child span of `ctx`, or as the first span of a new trace. Makes no span without a collector, or if the trace is not
 * sampled.
 */
export async function withSpan<T>(ctx: Context, span: SpanOptions, work: (ctx: Context) => Promise<T>): Promise<T> {
  const { traces } = ctx.ports
  if (traces === null || ctx.trace?.isSampled === false) return work(ctx)
  const trace = childTraceContext(ctx.trace)
  const startedAt = now()
  const end = (error: string | null) =>
    traces.export({ ...trace, parentId: ctx.trace?.spanId ?? null, attributes: {}, ...span, startedAt, endedAt: now(), error })
  try {
    const result = await work({ ...ctx, trace })
    end(null)
    return result
  } catch (error) {
    end(error instanceof DomainError ? error.code : 'server.internal_error')
    throw error
  }
}

/** Records a span of work that has already ended. */
export function recordSpan(ctx: Context, span: SpanOptions & Pick<Span, 'startedAt' | 'error'>): void {
  const { traces } = ctx.ports
  if (traces === null || ctx.trace?.isSampled !== true) return
  traces.export({ ...childTraceContext(ctx.trace), parentId: ctx.trace.spanId, attributes: {}, ...span, endedAt: now() })
}

/** Milliseconds of Unix time, more precise than the injected clock. */
function now(): number {
  return performance.timeOrigin + performance.now()
}
