import { describe, expect, it } from 'vitest'
import { computeSettlementDecision, isDecided } from '../../../../server/goals/review/compute-settlement-decision.ts'

const step = (number: number, state: 'planned' | 'assigned' | 'done') => ({ step: number, state, taskId: `t${number}` })
const task = (number: number, acceptance: string) => ({ id: `t${number}`, step: number, state: 'completed' as const, acceptance })
const live = { id: 't2', step: 2, state: 'working' as const }

describe('isDecided', () => {
  it('waits for a word on every completed task', () => {
    expect(isDecided([task(1, 'accepted'), task(2, 'pending')], () => false)).toBe(false)
    expect(isDecided([task(1, 'accepted'), live], () => false)).toBe(true)
  })
  it('waits for no task whose step is disputed or was split', () => {
    expect(isDecided([task(1, 'accepted'), task(2, 'pending')], (number) => number === 2)).toBe(true)
  })
})

describe('computeSettlementDecision', () => {
  it('pays what was accepted, and names what was returned', () => {
    const steps = [step(1, 'done'), step(2, 'done'), step(3, 'assigned')]
    const payment = computeSettlementDecision(steps, [task(1, 'accepted'), task(2, 'returned')])
    expect(payment).toEqual({ bits: 1n, halves: 0n, taskIds: { 1: 't1' }, returned: [steps[1]] })
  })
  it('pays half of what the terms split, beside what was accepted', () => {
    const steps = [step(1, 'done'), step(2, 'done'), step(3, 'done')]
    const payment = computeSettlementDecision(steps, [task(1, 'split'), task(2, 'accepted'), task(3, 'split')])
    expect([payment.bits, payment.halves]).toEqual([0b111n, 0b101n])
  })
  it('pays no step that is not done', () => {
    expect(computeSettlementDecision([step(1, 'planned')], [task(1, 'accepted')]).bits).toBe(0n)
  })
})
