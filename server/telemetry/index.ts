/**
 * Owns what the server tells of itself: spans of what it did, and where each hub is reached and how loaded it is.
 * Never changes or decides anything else, and never holds up what it tells of.
 * Reads nothing.
 */

export {
  deleteLoad,
  type HubLoad,
  type LoadFigures,
  listLoad,
  listReachableHubs,
  loadRetentionMs,
  type ReachableHub,
  recordLoad,
} from './hub-load.ts'
export { createOtlpExporter } from './otlp-exporter.ts'
export { formatTraceparent } from './trace-context.ts'
export { joinTrace, recordSpan, withSpan } from './with-span.ts'
