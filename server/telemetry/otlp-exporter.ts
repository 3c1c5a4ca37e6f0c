/** Distributed tracing: spans are exported in the OpenTelemetry format. */
import type { SpanKind as OtelSpanKind } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'
import type { Span, SpanKind, TraceExporter } from '../ports.ts'

/** Spans that wait to be sent. Beyond that they are dropped. */
const maxQueueSize = 4_096
const scheduledDelayMillis = 1_000

/**
 * Sends spans to a collector by OTLP over HTTP, as JSON. `endpoint` as the standard's variable has it: the path `/v1/traces`
 * is added. `timeoutMillis`: for one batch, all retries included. A collector that is away loses spans and delays no command.
 * The SDK is imported here, so that a process without a collector does not load it.
 */
export async function createOtlpExporter(endpoint: string, service: string, log: Log, timeoutMillis = 5_000): Promise<TraceExporter> {
  const [{ OTLPTraceExporter }, { BatchSpanProcessor }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
  ])
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  const exporter = withLoggedFailures(new OTLPTraceExporter({ url, timeoutMillis }), log)
  const processor = new BatchSpanProcessor({ exporter, maxQueueSize, scheduledDelayMillis })
  const resource = resourceFromAttributes({ 'service.name': service })
  return {
    export: (span) => processor.onEnd(readableSpan(span, resource)),
    close: () => processor.shutdown(),
  }
}

/** Reports to the processor that each batch succeeded: after a failure its shutdown would not wait for the other batches. */
function withLoggedFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let dropped = 0
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ error }) => {
        if (error) {
          dropped += spans.length
          log.warn({ event: 'trace.spans_dropped', err: error, dropped }, 'Spans were not exported.')
        }
        done({ code: exportSucceeded })
      }),
    shutdown: () => exporter.shutdown(),
  }
}

// Enums of the SDK, which a type-only import does not bring along.
const exportSucceeded = 0
const kinds: { readonly [kind in SpanKind]: OtelSpanKind } = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 }
const [unset, failed] = [0, 2]
const sampled = 1

function readableSpan(span: Span, resource: Resource): ReadableSpan {
  const { traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, error } = span
  const context = (id: string) => ({ traceId, spanId: id, traceFlags: sampled })
  return {
    name,
    kind: kinds[kind],
    spanContext: () => context(spanId),
    ...(parentId === null ? {} : { parentSpanContext: context(parentId) }),
    startTime: hrTime(startedAt),
    endTime: hrTime(endedAt),
    duration: hrTime(endedAt - startedAt),
    ended: true,
    status: error === null ? { code: unset } : { code: failed, message: error },
    attributes: { ...attributes },
    links: [],
    events: [],
    resource,
    instrumentationScope: { name: 'parley' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Seconds and nanoseconds. A double holds Unix time to less than a microsecond. */
function hrTime(ms: number): [number, number] {
  return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1_000) * 1_000]
}
