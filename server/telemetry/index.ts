/**
 * Owns what the server tells of itself: spans of what it did, and where each hub is reached and how loaded it is.
 * Never changes or decides anything else, and never holds up what it tells of.
 * Reads nothing.
 */
export { createTraces } from './create-traces.ts'
export { forgetLoad, type HubLoad, type LoadFigures, listLoad, listNeighbours, loadKeptMs, type Neighbour, noteLoad } from './hub-load.ts'
export { inSpan, joinTrace, tellSpan } from './in-span.ts'
export { traceparentOf } from './trace.ts'
