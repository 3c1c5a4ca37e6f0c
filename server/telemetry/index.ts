/**
 * Owns what the server tells of itself: spans of what it did.
 * Never changes or decides anything, and never holds up what it tells of.
 * Reads nothing.
 */
export { createTraces } from './create-traces.ts'
export { inSpan, joinTrace, tellSpan } from './in-span.ts'
export { traceparentOf } from './trace.ts'
