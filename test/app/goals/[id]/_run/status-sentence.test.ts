import { goalStates } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { spanOf, statusSentence } from '../../../../../app/goals/[id]/_run/status-sentence.ts'
import { translate } from '../../../translate.ts'
import { market, now, run, step, task } from './samples.ts'

const t = translate('views.status')

const client = { isClient: true, nameOf: (id: string) => id.replace('agt_', 'agent ') }
const reader = { ...client, isClient: false }
const sentenceOf = (given: Parameters<typeof run>[0], viewer = client) => statusSentence(run(given), { market, viewer, now, t })

describe('statusSentence', () => {
  it('states how many steps are done, who works, what is earned and how long is left', () => {
    const steps = [
      step({ step: 1, state: 'done' }),
      step({ step: 2, state: 'assigned', title: 'Draw' }),
      step({ step: 3, state: 'assigned' }),
    ]
    expect(sentenceOf({ steps, tasks: [task({ step: 2 }), task({ step: 3 })] }).text).toBe(
      '1 of 3 steps done · agent 2 works on “Draw”, 1 more step in parallel · 1.025 USDC of 10.00 USDC earned · ends in 41 min',
    )
  })

  it('asks the client and only the client to sign, to answer and to review', () => {
    const unsigned = { rail: 'escrow', state: 'authorizing', total: 1n, feeBps: 0, isSigned: false, failure: null } as const
    const cases = [
      { goal: { state: 'funding' }, hold: unsigned },
      { goal: { state: 'open', principalId: 'did:key:planner' }, hasOpenQuestion: true },
      { goal: { state: 'review', reviewBy: new Date('2026-11-24T12:00:00Z') } },
      { goal: { state: 'open', principalId: 'did:key:planner' }, team: null, asked: 'charter' },
      { asked: 'steps' },
    ] as const
    for (const given of cases) {
      expect(sentenceOf(given).tone).toBe('asks-you')
      expect(sentenceOf(given, reader).tone).not.toBe('asks-you')
    }
    expect(sentenceOf(cases[2]).text).toContain('3 days')
  })

  it('asks the client for the approval that a signed team waits for, of each version', () => {
    const team = (version: number) => ({ state: 'sealed', version, isRecorded: false, answers: [] }) as const
    const approval = (state: 'open' | 'proposed' | 'approved' | 'vetoed', version = 1) =>
      ({ state, version, isKnown: true, payableFrom: state === 'proposed' ? now.getTime() / 1_000 + 7_200 : null }) as const
    for (const version of [1, 2])
      for (const state of ['open', 'underway'] as const) {
        const given = { goal: { state, principalId: 'did:key:planner' }, team: team(version), approval: approval('open', version) }
        expect(sentenceOf(given)).toEqual({ tone: 'asks-you', text: 'Waiting for your approval: all members have signed.' })
        expect(sentenceOf(given, reader)).toEqual({ tone: 'waiting', text: 'Waiting for the client’s approval of the team.' })
      }
    expect(sentenceOf({ team: team(1), approval: approval('proposed') }).text).toBe(
      'Waiting for your approval: the team begins in 2 h, unless you veto it.',
    )
    expect(sentenceOf({ team: team(1), approval: approval('vetoed') }).text).toContain('You have vetoed the team')
    expect(sentenceOf({ team: { ...team(2), state: 'forming' }, approval: approval('vetoed') }).text).toContain('The team is agreeing')
    expect(sentenceOf({ team: team(1), approval: approval('approved') }).text).toContain('recorded on chain')
  })

  it('says of a failed goal how many finished steps are left to decide, and that the rest goes back', () => {
    const steps = [step({ step: 1, state: 'done' }), step({ step: 2, state: 'refunded' })]
    const goal = { state: 'review', outcome: 'failed', reviewBy: new Date('2026-11-21T13:00:00Z') } as const
    expect(sentenceOf({ goal, steps })).toEqual({
      tone: 'asks-you',
      text: 'Ended without a result. You have 60 min to accept or return the finished step; after that it is paid. The rest is then refunded.',
    })
    expect(sentenceOf({ goal, steps: [...steps, step({ step: 3, state: 'done' })] }, reader).text).toContain(
      'the 2 finished steps; after that they are paid',
    )
  })

  it('names dollars and no chain where the client pays by card', () => {
    const hold = { rail: 'stripe', state: 'authorizing', total: 1n, feeBps: 0, isSigned: false, failure: null } as const
    expect(sentenceOf({ goal: { state: 'funding' }, hold }).text).toBe('Not public yet: pay 10.00 USD by card.')
    expect(sentenceOf({ goal: { state: 'settling' }, hold: { ...hold, state: 'capturing' } }).text).not.toContain('chain')
  })

  it('states how long what was returned can be disputed', () => {
    const hold = { rail: 'escrow', total: 1n, feeBps: 0, isSigned: true, failure: null, disputeBy: now.getTime() / 1_000 + 3_600 } as const
    const settling = { state: 'settling' } as const
    expect(sentenceOf({ goal: settling, hold: { ...hold, state: 'capturing' } }).text).toMatch(
      /accepted steps are paid\. The rest .* for another 60 min/,
    )
    expect(sentenceOf({ goal: settling, hold: { ...hold, state: 'voiding' } }).text).toMatch(/stays in the escrow for another 60 min/)
    const over = { ...hold, state: 'capturing', disputeBy: now.getTime() / 1_000 - 1 } as const
    expect(sentenceOf({ goal: settling, hold: over }).text).toContain('pays all agents')
  })

  it('reports that a planner is at it as soon as one has taken the goal', () => {
    expect(sentenceOf({ goal: { state: 'open' } }).text).toContain('Waiting for a planner')
    expect(sentenceOf({ goal: { state: 'open', principalId: 'did:key:planner' }, team: null }).text).toContain('choosing a team')
  })

  it('reports that no money moved where funding failed', () => {
    const failed = { rail: 'escrow', state: 'failed', total: 1n, feeBps: 0, isSigned: true, failure: 'The authorization ran out.' } as const
    expect(sentenceOf({ goal: { state: 'funding' }, hold: failed })).toEqual({
      tone: 'bad',
      text: 'Funding failed and no money moved: The authorization ran out.',
    })
  })

  it('counts signatures while the team forms, and states when an agent declined', () => {
    const team = (answers: ('accepted' | 'declined' | 'invited')[]) => ({
      team: {
        state: 'forming' as const,
        version: 1,
        isRecorded: false,
        answers: answers.map((answer, i) => ({ agentId: `agt_${i}`, answer })),
      },
    })
    expect(sentenceOf(team(['accepted', 'invited'])).text).toContain('1 of 2 have signed')
    expect(sentenceOf(team(['accepted', 'declined'])).text).toContain('declined')
  })

  it('states what agents received, the fee, and what went back, once per agent', () => {
    const steps = [
      step({ step: 1, state: 'paid', agentId: 'agt_a' }),
      step({ step: 2, state: 'paid', agentId: 'agt_a' }),
      step({ step: 3, state: 'refunded' }),
    ]
    expect(sentenceOf({ goal: { state: 'paid' }, steps }).text).toBe(
      'Paid: 1 agent received 2.00 USDC. The fee was 0.05 USDC. 7.95 USDC was refunded.',
    )
  })

  it('reports that a step failed while no one works', () => {
    const steps = [step({ step: 1, state: 'done' }), step({ step: 2 })]
    const tasks = [task({ step: 2, state: 'failed' })]
    expect(sentenceOf({ steps, tasks }).text).toContain('“Step 2” failed, and the planner decides how to continue')
    expect(sentenceOf({ steps, tasks: [] }).text).not.toContain('failed')
  })

  it('has a sentence for every state of a goal', () => {
    const sentences = goalStates.map((state) => sentenceOf({ goal: { state } }).text)
    expect(sentences.every((text) => text.endsWith('.') || text.includes('·'))).toBe(true)
    expect(new Set(sentences).size).toBe(goalStates.length)
  })
})

describe('spanOf', () => {
  it.each([
    [-1, 'no time'],
    [59_000, 'less than a minute'],
    [119 * 60_000, '119 min'],
    [121 * 60_000, '2 h'],
    [72 * 3_600_000, '3 days'],
  ])('writes %d ms as %s', (ms, text) => expect(spanOf(ms, t)).toBe(text))
})
