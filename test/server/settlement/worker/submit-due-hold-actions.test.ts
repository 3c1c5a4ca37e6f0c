import { describe, expect, it } from 'vitest'
import { inTransaction } from '../../../../server/db.ts'
import type { Span } from '../../../../server/ports.ts'
import { scheduleSealing } from '../../../../server/settlement/holds/schedule-sealing.ts'
import { getCharterApproval, getHold, runSettlementCycle, voidHold } from '../../../../server/settlement/index.ts'
import { submitDueHoldActions } from '../../../../server/settlement/worker/submit-due-hold-actions.ts'
import { authorize, conclusionHash, createMoneyWorld, drive, handOver, type MoneyWorld, open, signCharter } from '../money-world.ts'

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

  it('leaves a cancelled hold alone while a proposal in force can be vetoed, and closes it when the window ends', async () => {
    await using world = await createMoneyWorld()
    const goalId = await open(world, { workSeconds: 10 * 86_400, vetoSeconds: 3_600 })
    await authorize(world, goalId)
    await drive(world)
    await signCharter(world, goalId)
    await inTransaction(world.system, (tx) => scheduleSealing(tx, { goalId, version: 1, at: tx.clock.now() }))
    await drive(world)
    expect(await getCharterApproval(world.system, goalId)).toMatchObject({ state: 'proposed' })
    await inTransaction(world.as(world.person(world.client)), (tx) => voidHold(tx, { goalId, conclusionHash }))
    let plansRead = 0
    const { rail } = world.system.ports
    const counted = world.over({
      ...rail,
      plan: (id) => {
        plansRead++
        return rail.plan(id)
      },
    })
    await submitDueHoldActions(counted)
    expect(plansRead).toBe(0)
    await world.warp(3_602)
    await submitDueHoldActions(counted)
    expect(plansRead).toBeGreaterThan(0)
    await drive(world)
    expect((await getHold(world.system, goalId)).state).toBe('voided')
  })
})
