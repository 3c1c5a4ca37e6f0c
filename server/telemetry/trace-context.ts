import { randomBytes } from 'node:crypto'
import type { Trace } from '../ports.ts'

/** W3C trace context, version 00: trace, parent span, flags. */
const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/
const sampledFlag = 1

/** Null if invalid: a malformed header must not fail the request. */
export function parseTraceparent(text: unknown): Trace | null {
  const [, traceId = '', spanId = '', flags = '00'] = (typeof text === 'string' && traceparent.exec(text)) || []
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId) || (typeof text === 'string' && text.startsWith('ff'))) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag }
}

export function formatTraceparent({ traceId, spanId, isSampled }: Trace): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`
}

/** A child span of `parent`, or the first span of a new trace. Sampling: the flag of the caller decides; new traces are sampled. */
export function childTraceContext(parent: Trace | null): Trace {
  const spanId = randomBytes(8).toString('hex')
  return parent ? { ...parent, spanId } : { traceId: randomBytes(16).toString('hex'), spanId, isSampled: true }
}
