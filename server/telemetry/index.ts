/**
 * Owns telemetry: spans of the server's work, and the load and address of each hub.
 * Never changes anything else, and never delays the work that it observes.
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
