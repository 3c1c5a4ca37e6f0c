import { describe, expect, it } from 'vitest'
import type { Span } from '../../../../server/ports.ts'
import { runSettlementCycle } from '../../../../server/settlement/index.ts'
import { authorize, createMoneyWorld, drive, handOver, type MoneyWorld, open } from '../money-world.ts'

describe('submitDue', () => {
  it('begins what no one began within the trace of the goal that it is for', async () => {
    await using world = await createMoneyWorld()
    const spans: Span[] = []
    const ports = { ...world.system.ports, traces: { export: (span: Span) => void spans.push(span), close: async () => undefined } }
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true }
    const swept = { ...world.system, ports, trace: null }
    const posting: MoneyWorld = { ...world, system: { ...world.system, ports, trace } }

    const goalId = await open(posting)
    await authorize(world, goalId)
    await runSettlementCycle(swept)
    await drive(world, swept)
    await handOver(world, goalId)
    await drive(world, swept)

    const spansNamed = (name: string) => spans.filter((span) => span.name === name).map(({ traceId, parentId }) => ({ traceId, parentId }))
    expect(spansNamed('chain fund')).toEqual([{ traceId: trace.traceId, parentId: trace.spanId }])
    expect(spansNamed('chain seal')).toEqual([{ traceId: trace.traceId, parentId: trace.spanId }])
  })
})
