import { describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { DomainError } from '../../../server/errors.ts'
import { createLog } from '../../../server/log.ts'
import type { Span } from '../../../server/ports.ts'
import { createOtlpExporter, formatTraceparent, joinTrace, recordSpan, withSpan } from '../../../server/telemetry/index.ts'
import { parseTraceparent } from '../../../server/telemetry/trace-context.ts'
import { startCollector } from '../../support/otlp-collector.ts'

const given = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const silent = createLog('test', 'silent')

function watched() {
  const spans: Span[] = []
  const ctx = { trace: null, ports: { traces: { export: (span: Span) => void spans.push(span), close: async () => undefined } } } as never
  return { ctx: ctx as Context, spans }
}

describe('traceparent', () => {
  it('is read and written as W3C has it', () => {
    const trace = parseTraceparent(given)
    expect(trace).toEqual({ traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', isSampled: true })
    expect(trace && formatTraceparent(trace)).toBe(given)
    expect(parseTraceparent(given.replace(/01$/, '00'))?.isSampled).toBe(false)
  })

  it.each([
    undefined,
    null,
    7,
    '',
    given.toUpperCase(),
    given.slice(0, -1),
    given.replace('00-', 'ff-'),
    given.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32)),
    given.replace('00f067aa0ba902b7', '0'.repeat(16)),
  ])('is none where it is %s', (text) => {
    expect(parseTraceparent(text)).toBeNull()
  })
})

describe('a span', () => {
  it('stands below the one around it, in the trace that was named', async () => {
    const { ctx, spans } = watched()
    await withSpan(joinTrace(ctx, given), { name: 'outer', kind: 'server' }, (own) =>
      withSpan(own, { name: 'inner', kind: 'internal' }, async (inmost) =>
        recordSpan(inmost, { name: 'told', kind: 'client', startedAt: 1, error: null }),
      ),
    )
    const [logged, inner, outer] = spans
    expect(spans.map((span) => span.traceId)).toEqual(Array(3).fill('4bf92f3577b34da6a3ce929d0e0e4736'))
    expect([outer?.parentId, inner?.parentId, logged?.parentId]).toEqual(['00f067aa0ba902b7', outer?.spanId, inner?.spanId])
    expect(new Set(spans.map((span) => span.spanId)).size).toBe(3)
  })

  it('begins a trace where there is none, and says in what problem it ended', async () => {
    const { ctx, spans } = watched()
    const refused = withSpan(ctx, { name: 'refused', kind: 'server' }, async () => {
      throw new DomainError('rate.exceeded', 'Too often.')
    })
    await expect(refused).rejects.toThrow('Too often.')
    expect(spans).toMatchObject([{ parentId: null, error: 'rate.exceeded', isSampled: true }])
  })

  it('is not made where no one collects, nor in a trace that was not sampled', async () => {
    const { ctx, spans } = watched()
    await withSpan(joinTrace(ctx, given.replace(/01$/, '00')), { name: 'unsampled', kind: 'server' }, async (own) => {
      expect(own.trace?.spanId).toBe('00f067aa0ba902b7')
    })
    const alone = { trace: null, ports: { traces: null } } as never as Context
    await withSpan(joinTrace(alone, given), { name: 'alone', kind: 'server' }, async (own) => expect(own).toBe(alone))
    expect(spans).toEqual([])
  })
})

describe('createOtlpExporter', () => {
  const span: Span = {
    ...{
      traceId: 'a'.repeat(32),
      spanId: 'b'.repeat(16),
      isSampled: true,
      parentId: 'c'.repeat(16),
      name: 'task.complete',
      kind: 'server',
    },
    ...{
      startedAt: 1_700_000_000_000.25,
      endedAt: 1_700_000_000_001,
      attributes: { text: 'x', whole: 3, part: 0.5 },
      error: 'task.wrong_state',
    },
  }

  it('sends them as OTLP', async () => {
    await using collector = await startCollector()
    const traces = await createOtlpExporter(`${collector.url}/`, 'parley-hub', silent)
    traces.export(span)
    await traces.close()
    expect(collector.spans).toEqual([
      {
        traceId: 'a'.repeat(32),
        spanId: 'b'.repeat(16),
        parentSpanId: 'c'.repeat(16),
        name: 'task.complete',
        kind: 2,
        startTimeUnixNano: '1700000000000250000',
        endTimeUnixNano: '1700000000001000000',
        attributes: [
          { key: 'text', value: { stringValue: 'x' } },
          { key: 'whole', value: { intValue: 3 } },
          { key: 'part', value: { doubleValue: 0.5 } },
        ],
        status: { code: 2, message: 'task.wrong_state' },
      },
    ])
  })

  it('loses them where the collector is unavailable or refuses, and no one notices', async () => {
    await using collector = await startCollector(503)
    for (const url of [collector.url, 'http://127.0.0.1:1']) {
      const traces = await createOtlpExporter(url, 'parley-hub', silent, 500)
      for (let index = 0; index < 600; index++) traces.export(span)
      await traces.close()
    }
    expect(collector.spans).toEqual([])
  })
})
