import { disputeStates } from '@parley/protocol'
import { expect, it } from 'vitest'
import {
  defaultOf,
  disputeSentence,
  momentOf,
  percentOfBps,
  silenceSentence,
} from '../../../../../../app/goals/[id]/_run/disputes/dispute-sentences.ts'
import { translate } from '../../../../translate.ts'

const t = translate('views.dispute')

it('says of each state something of its own, with the share where there is one', () => {
  const sentences = disputeStates.map((state) => disputeSentence({ state, payeeBps: 2_550 }, t))
  expect(new Set(sentences).size).toBe(disputeStates.length)
  expect(disputeSentence({ state: 'ruled', payeeBps: 6_000 }, t)).toBe(
    'The arbitrator ruled: 60 % of the step to the payee, the rest to the client.',
  )
  expect(disputeSentence({ state: 'agreed', payeeBps: 2_550 }, t)).toContain('25.5 %')
  expect(disputeSentence({ state: 'lapsed', payeeBps: null }, t)).toContain('a part')
})

it('reads the chain’s seconds and hundredths of a percent', () => {
  expect(momentOf(1_700_000_000).toISOString()).toBe('2023-11-14T22:13:20.000Z')
  expect(percentOfBps(10_000)).toBe('100 %')
})

it('lets the disputing party lose by default', () => {
  expect([defaultOf('pay', true), defaultOf('refund', true)]).toEqual(['pay', 'refund'])
  expect([defaultOf('pay', false), defaultOf('refund', false)]).toEqual(['refund', 'refund'])
})

it('states what silence means', () => {
  expect(silenceSentence('pay', t)).toContain('is paid in full')
  expect(silenceSentence('refund', t)).toContain('refunded to the client')
})
