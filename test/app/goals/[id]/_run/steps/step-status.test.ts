import { describe, expect, it } from 'vitest'
import { stateAfter, stepStatus } from '../../../../../../app/goals/[id]/_run/steps/step-status.ts'
import { step, task } from '../samples.ts'

describe('stepStatus', () => {
  const one = step({ step: 1 })
  const two = step({ step: 2, dependsOn: [1] })

  it('waits for what it depends on, and is ready when that is done', () => {
    expect(stepStatus(two, [one, two], [])).toBe('waiting')
    expect(stepStatus(two, [{ ...one, state: 'done' }, two], [])).toBe('ready')
  })

  it('waits while its team may not begin', () => {
    expect(stepStatus({ ...one, isOnHold: true }, [one], [])).toBe('waiting')
  })

  it('reads the newest task only', () => {
    const tasks = [task({ step: 1, epoch: 1, state: 'failed' }), task({ step: 1, epoch: 2, state: 'input_required' })]
    expect(stepStatus({ ...one, state: 'assigned' }, [one], tasks)).toBe('asking')
    expect(stepStatus(one, [one], [task({ step: 1, epoch: 1, state: 'failed' })])).toBe('failed')
  })

  it('shows what a failed goal left unfinished as not paid, and nothing else', () => {
    expect((['planned', 'assigned', 'done', 'paid'] as const).map((state) => stateAfter('failed', state))).toEqual([
      ...['refunded', 'refunded', 'done', 'paid'],
    ])
    expect([stateAfter(null, 'planned'), stateAfter('delivered', 'assigned'), stateAfter('stopped', 'planned')]).toEqual([
      ...['planned', 'assigned', 'planned'],
    ])
  })

  it('distinguishes finished from accepted, returned and paid', () => {
    const done = { ...one, state: 'done' as const }
    expect(stepStatus(done, [done], [task({ step: 1, state: 'completed', acceptance: 'pending' })])).toBe('done')
    expect(stepStatus(done, [done], [task({ step: 1, state: 'completed', acceptance: 'accepted' })])).toBe('accepted')
    expect(stepStatus(one, [one], [task({ step: 1, state: 'completed', acceptance: 'returned' })])).toBe('returned')
    expect(stepStatus({ ...one, state: 'paid' }, [one], [])).toBe('paid')
  })

  it('shows an unfinished step as submitted until the escrow has decided it', () => {
    const ended = { ...one, state: 'refunded' as const }
    const payout = { state: 'sealed', paid: null, submittedTx: '0x01' }
    expect(stepStatus({ ...ended, payout }, [ended], [])).toBe('submitted')
    expect(stepStatus({ ...ended, payout: { ...payout, state: 'refunded' } }, [ended], [])).toBe('refunded')
    expect(stepStatus({ ...ended, payout: { ...payout, submittedTx: null } }, [ended], [])).toBe('refunded')
  })

  it('puts a dispute before what was done, and a part before the whole', () => {
    const pending = [task({ step: 1, state: 'completed', acceptance: 'pending' })]
    const done = { ...one, state: 'done' as const }
    expect(stepStatus({ ...done, payout: { state: 'disputed', paid: null, submittedTx: null } }, [done], pending)).toBe('disputed')
    expect(stepStatus({ ...done, state: 'paid', payout: { state: 'split', paid: 600_000n, submittedTx: null } }, [done], pending)).toBe(
      'split',
    )
    expect(stepStatus({ ...done, payout: { state: 'sealed', paid: null, submittedTx: null } }, [done], pending)).toBe('done')
  })
})
