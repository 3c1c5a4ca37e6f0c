import { channelStates } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { paymentChannelStateNote } from '../../../app/payouts/payment-channel-state-note.ts'
import { translate } from '../translate.ts'

describe('paymentChannelStateNote', () => {
  const note = (
    state: (typeof channelStates)[number],
    changes: { isCallOpen?: boolean; failure?: string; frozenSince?: Date; topUp?: { failure: string | null } } = {},
  ) =>
    paymentChannelStateNote(
      { state, isCallOpen: false, failure: null, frozenSince: null, topUp: null, ...changes },
      translate('views.paymentChannelStateNote'),
    )

  it('states what is waited for, and why it went wrong', () => {
    expect(channelStates.filter((state) => note(state) !== null)).toEqual(['opening', 'closing'])
    expect(note('closing')).toContain('on its way')
    expect(note('closing', { isCallOpen: true })).toContain('open call')
    expect(note('closing', { failure: 'Too little gas.' })).toBe('The chain did not accept it: Too little gas.')
    expect(note('open', { topUp: { failure: null } })).toContain('top-up is being confirmed')
    expect(note('open', { topUp: { failure: 'The wallet holds less.' } })).toContain('top-up failed: The wallet holds less.')
    expect(note('open', { frozenSince: new Date(0) })).toContain('waits for an operator')
    expect(note('failed', { failure: 'The wallet holds less.' })).toBe('The wallet holds less.')
  })
})
