import {
  acceptances,
  callStates,
  callTransitions,
  canFollow,
  channelStates,
  channelTransitions,
  charterDraftStates,
  charterDraftTransitions,
  conversationStates,
  conversationTransitions,
  disputeStates,
  disputeTransitions,
  goalStates,
  goalTransitions,
  holdStates,
  holdTransitions,
  readConversationState,
  settlementOfferStates,
  settlementOfferTransitions,
  stepStates,
  stepTransitions,
  taskStates,
  taskTransitions,
  teamStates,
  teamTransitions,
  transferStates,
  transferTransitions,
} from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

type Machine = { states: readonly string[]; table: Record<string, readonly string[]>; start: string; ends: readonly string[] }
const machines: Record<string, Machine> = {
  goal: { states: goalStates, table: goalTransitions, start: 'funding', ends: ['paid', 'refunded', 'canceled'] },
  hold: {
    states: holdStates,
    table: holdTransitions,
    start: 'authorizing',
    ends: ['voided', 'reclaimed', 'refunded', 'captured', 'failed'],
  },
  team: { states: teamStates, table: teamTransitions, start: 'forming', ends: ['disbanded'] },
  'charter draft': { states: charterDraftStates, table: charterDraftTransitions, start: 'submitted', ends: ['refused'] },
  task: { states: taskStates, table: taskTransitions, start: 'submitted', ends: ['completed', 'failed', 'canceled', 'rejected'] },
  step: { states: stepStates, table: stepTransitions, start: 'planned', ends: ['paid', 'refunded'] },
  dispute: { states: disputeStates, table: disputeTransitions, start: 'signed', ends: ['ruled', 'agreed', 'lapsed'] },
  offer: { states: settlementOfferStates, table: settlementOfferTransitions, start: 'made', ends: ['accepted', 'lapsed'] },
  channel: { states: channelStates, table: channelTransitions, start: 'opening', ends: ['closed', 'failed'] },
  call: { states: callStates, table: callTransitions, start: 'requested', ends: ['answered', 'declined', 'expired'] },
  transfer: { states: transferStates, table: transferTransitions, start: 'intent', ends: ['posted', 'replaced', 'failed_final'] },
  conversation: { states: conversationStates, table: conversationTransitions, start: 'discussion', ends: ['conclusion'] },
}

const reach = (table: Machine['table'], from: string, seen = new Set([from])): Set<string> => {
  for (const to of table[from] ?? []) if (!seen.has(to)) reach(table, to, seen.add(to))
  return seen
}

describe.each(Object.entries(machines))('%s', (_name, { states, table, start, ends }) => {
  it('has a line for each state, and no state that is not one', () => {
    expect(Object.keys(table)).toEqual([...states])
    for (const tos of Object.values(table)) expect(states).toEqual(expect.arrayContaining([...tos]))
  })

  it('reaches every state from the start, and an end from every state', () => {
    expect([...reach(table, start)].sort()).toEqual([...states].sort())
    for (const state of states)
      expect(
        [...reach(table, state)].some((to) => ends.includes(to)),
        state,
      ).toBe(true)
  })

  it('walks only where the table leads', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states)), (wishes) => {
        let at = start
        for (const to of wishes) {
          const allowed = canFollow(table as never, at as never, to as never)
          expect(allowed).toBe(table[at]?.includes(to))
          if (allowed) at = to
        }
        return reach(table, start).has(at)
      }),
    )
  })
})

describe('what is over', () => {
  it('stays over', () => {
    for (const state of ['paid', 'refunded', 'canceled'] as const) expect(goalTransitions[state]).toEqual([])
    for (const state of ['completed', 'failed', 'canceled', 'rejected'] as const) expect(taskTransitions[state]).toEqual([])
    for (const state of ['paid', 'refunded'] as const) expect(stepTransitions[state]).toEqual([])
    expect(holdTransitions.reclaimed).toEqual([])
  })

  it('no paid goal goes back, and none is paid before its money is held', () => {
    expect(
      Object.entries(goalTransitions)
        .filter(([, tos]) => (tos as readonly string[]).includes('paid'))
        .map(([from]) => from),
    ).toEqual(['open', 'underway', 'review', 'settling']) // a client can release its plan from its own wallet at any time
    // What is not done is paid by the parties' agreement, a ruling, or the silence after a dispute, and by nothing else.
    expect(
      Object.entries(stepTransitions)
        .filter(([, tos]) => (tos as readonly string[]).includes('paid'))
        .map(([from]) => from),
    ).toEqual(['planned', 'assigned', 'done'])
  })
})

describe('readConversationState', () => {
  it('reads what it does not know as discussion', () => {
    for (const state of conversationStates) expect(readConversationState(state)).toBe(state)
    fc.assert(fc.property(fc.anything(), (odd) => conversationStates.includes(readConversationState(odd))))
    expect(readConversationState('EXECUTION')).toBe('discussion')
  })
})

it('acceptances are a closed set', () => {
  expect(acceptances).toEqual(['pending', 'accepted', 'returned', 'changes_requested', 'split'])
})
