/**
 * Owns what the server tells of itself: spans of what it did, and where each hub is reached and how loaded it is.
 * Never changes or decides anything else, and never holds up what it tells of.
 * Reads nothing.
 */

export { forgetLoad, type HubLoad, type LoadFigures, listLoad, listNeighbours, loadKeptMs, type Neighbour, noteLoad } from './hub-load.ts'
export { createTraces } from './otlp-exporter.ts'
export { traceparentOf } from './trace-context.ts'
export { inSpan, joinTrace, tellSpan } from './with-span.ts'
