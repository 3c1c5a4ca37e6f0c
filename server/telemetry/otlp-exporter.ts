/** Distributed tracing: spans are exported in the OpenTelemetry format. */
import type { Log } from '../log.ts'
import type { Span, SpanKind, Traces } from '../ports.ts'

/** Spans that wait to be sent; beyond that they are dropped, and counted. */
const maxWaiting = 4_096
const maxAtOnce = 512
const everyMs = 1_000
const timeoutMs = 5_000

/**
 * Sends spans to a collector by OTLP over HTTP, as JSON. `endpoint` as the standard's variable has it: the path `/v1/traces`
 * is added. A collector that is away loses spans and holds up nobody.
 */
export function createTraces(endpoint: string, service: string, log: Log): Traces {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`
  let waiting: Span[] = []
  let dropped = 0
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, maxAtOnce)
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(otlpOf(batch, service)),
          signal: AbortSignal.timeout(timeoutMs),
        })
        await answer.arrayBuffer()
        if (!answer.ok) throw new Error(`the collector answers ${answer.status}`)
      } catch (error) {
        dropped += batch.length
        log.warn({ err: error, dropped }, 'spans were not collected')
      }
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sending ??= send().finally(() => {
      sending = null
    })
    return sending
  }

  return {
    export(span) {
      if (waiting.length >= maxWaiting) {
        dropped++
        return
      }
      waiting.push(span)
      if (waiting.length >= maxAtOnce) void flush()
      timer ??= setTimeout(() => void flush(), everyMs)
    },
    async close() {
      await flush()
      waiting = []
    },
  }
}

const kinds: { readonly [kind in SpanKind]: number } = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const failed = 2

/** @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
export function otlpOf(spans: readonly Span[], service: string): object {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': service }) },
        scopeSpans: [{ scope: { name: 'parley' }, spans: spans.map(spanOf) }],
      },
    ],
  }
}

function spanOf({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, error }: Span): object {
  return {
    traceId,
    spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(attributes),
    ...(error === null ? {} : { status: { code: failed, message: error } }),
  }
}

function attributesOf(attributes: { readonly [name: string]: string | number }): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string' ? { stringValue: value } : Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value },
  }))
}

/** More digits than a number holds. */
function nanoseconds(ms: number): string {
  return (BigInt(Math.floor(ms * 1_000)) * 1_000n).toString()
}
