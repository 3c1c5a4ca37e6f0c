import { describe, expect, it } from 'vitest'
import { acceptanceAmounts, holdBreakdown } from '../../../../../../app/goals/[id]/_run/budget/hold-breakdown.ts'
import { run, step, task } from '../samples.ts'

describe('holdBreakdown', () => {
  it('always divides the whole hold, to the last unit', () => {
    for (const amount of [1n, 333_333n, 999_999n, 1_234_567n]) {
      const steps = [step({ step: 1, state: 'done', amount }), step({ step: 2, state: 'assigned', amount }), step({ step: 3, amount })]
      const { total, earned, reserved, refundable } = holdBreakdown(run({ steps }))
      expect(earned + reserved + refundable).toBe(total)
      expect(refundable).toBeGreaterThan(0n)
    }
  })

  it('takes the fee once on the sum, as the escrow does', () => {
    const steps = [step({ step: 1, state: 'done', amount: 19n }), step({ step: 2, state: 'done', amount: 21n })]
    expect(holdBreakdown(run({ steps })).earned).toBe(41n)
  })

  it('reserves nothing once settled, and counts only what was paid', () => {
    const steps = [step({ step: 1, state: 'paid' }), step({ step: 2, state: 'refunded' })]
    expect(holdBreakdown(run({ steps, goal: { state: 'paid' } }))).toMatchObject({
      earned: 1_025_000n,
      reserved: 0n,
      refundable: 8_975_000n,
      isSettled: true,
    })
  })

  it('follows the ledger where a step was paid in part', () => {
    const steps = [step({ step: 1, state: 'paid' }), step({ step: 2, state: 'paid' })]
    const hold = { rail: 'escrow', state: 'captured', total: 10_000_000n, feeBps: 250, isSigned: true, failure: null } as const
    const split = run({ steps, goal: { state: 'paid' }, hold: { ...hold, wentBack: 8_360_000n } })
    expect(holdBreakdown(split)).toEqual({ total: 10_000_000n, earned: 1_640_000n, reserved: 0n, refundable: 8_360_000n, isSettled: true })
  })

  it('has everything refundable before a charter', () => {
    expect(holdBreakdown(run({ team: null }))).toMatchObject({ earned: 0n, reserved: 0n, refundable: 10_000_000n })
  })

  it('counts a disputed step as reserved, and one that was split as what it came to', () => {
    const steps = [
      step({ step: 1, state: 'done', payout: { state: 'disputed', paid: null, submittedTx: null } }),
      step({ step: 2, state: 'done', payout: { state: 'split', paid: 600_000n, submittedTx: null } }),
      step({ step: 3, state: 'done', payout: { state: 'refunded', paid: null, submittedTx: null } }),
    ]
    expect(holdBreakdown(run({ steps }))).toMatchObject({ earned: 615_000n, reserved: 1_025_000n, refundable: 8_360_000n })
  })
})

describe('acceptanceAmounts', () => {
  it('pays what is done, and leaves alone what is disputed or was split before', () => {
    const steps = [
      step({ step: 1, state: 'done', payout: { state: 'sealed', paid: null, submittedTx: null } }),
      step({ step: 2, state: 'done', payout: { state: 'disputed', paid: null, submittedTx: null } }),
      step({ step: 3, state: 'done', payout: { state: 'split', paid: 600_000n, submittedTx: null } }),
      step({ step: 4, state: 'planned', payout: { state: 'sealed', paid: null, submittedTx: null } }),
    ]
    const { pays, stays, returns } = acceptanceAmounts(run({ steps }))
    expect([pays, stays, returns]).toEqual([1_025_000n, 1_025_000n, 10_000_000n - 2_050_000n - 615_000n])
  })

  it('sends back what was returned, which is earned by no one', () => {
    const steps = [step({ step: 1, state: 'done' }), step({ step: 2, state: 'done' })]
    const returned = task({ step: 2, state: 'completed', acceptance: 'returned' })
    const view = run({ steps, tasks: [task({ step: 1, state: 'completed', acceptance: 'accepted' }), returned] })
    expect(acceptanceAmounts(view)).toEqual({ pays: 1_025_000n, stays: 0n, returns: 8_975_000n })
    expect(holdBreakdown(view)).toMatchObject({ earned: 1_025_000n, reserved: 1_025_000n, refundable: 7_950_000n })
  })

  it('keeps what was submitted to the escrow and is not finished, also after the goal has failed', () => {
    const payout = { state: 'sealed', paid: null, submittedTx: '0x01' }
    for (const state of ['planned', 'refunded'] as const) {
      const view = run({ steps: [step({ step: 1, state, payout })] })
      expect(acceptanceAmounts(view)).toEqual({ pays: 0n, stays: 1_025_000n, returns: 8_975_000n })
      expect(holdBreakdown(view)).toMatchObject({ earned: 0n, reserved: 1_025_000n, refundable: 8_975_000n })
    }
  })

  it('agrees with the budget where nothing is at odds', () => {
    const view = run({ steps: [step({ step: 1, state: 'done' }), step({ step: 2, state: 'done' })] })
    expect(acceptanceAmounts(view)).toMatchObject({ pays: holdBreakdown(view).earned, stays: 0n, returns: holdBreakdown(view).refundable })
  })
})
