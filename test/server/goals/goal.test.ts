import { type GoalState, goalStates, goalTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../server/errors.ts'
import { advanceGoal, type Goal, type GoalEvent } from '../../../server/goals/goal.ts'

const at = new Date('2026-01-01T00:00:00Z')
const goal = (state: GoalState): Goal =>
  ({
    id: 'gol_1',
    state,
    reviewHours: 2,
    principalId: null,
    outcome: null,
    conclusionSeq: null,
    concludedAt: null,
    answer: null,
    reviewBy: at,
    settledAt: null,
  }) as unknown as Goal

const to: { [S in GoalState]?: GoalEvent } = {
  open: { type: 'goal.open', at },
  underway: { type: 'goal.start' },
  review: { type: 'goal.review', outcome: 'delivered', seq: 3, at, answer: [] },
  settling: { type: 'goal.settle' },
  paid: { type: 'goal.close', outcome: 'paid', at },
  refunded: { type: 'goal.close', outcome: 'refunded', at },
  canceled: { type: 'goal.cancel' },
}

describe('advanceGoal', () => {
  const pairs = goalStates.flatMap((from) =>
    (Object.entries(to) as [GoalState, GoalEvent][]).map(([state, event]) => [from, state, event] as const),
  )
  it.each(pairs)('%s → %s is as the table says', (from, state, event) => {
    const isAllowed = (goalTransitions[from] as readonly string[]).includes(state)
    // Starting what has started changes nothing, because the reaction that starts it may run twice.
    if (isAllowed || (from === 'underway' && state === 'underway')) expect(advanceGoal(goal(from), event).state).toBe(state)
    else expect(() => advanceGoal(goal(from), event)).toThrow(DomainError)
  })
  it.each(['delivered', 'failed'] as const)('starts the review clock with the conclusion of work that was %s', (outcome) => {
    expect(advanceGoal(goal('underway'), { type: 'goal.review', outcome, seq: 3, at, answer: [] })).toMatchObject({
      outcome,
      reviewBy: new Date(at.getTime() + 7_200_000),
      conclusionSeq: 3,
    })
  })
  it('ends a review by its client’s stop, and keeps what was delivered', () => {
    const answer = [{ text: 'Both are there.' }]
    const stopped = advanceGoal(goal('review'), { type: 'goal.end', outcome: 'stopped', seq: 4, at, answer })
    expect(stopped).toMatchObject({ state: 'settling', outcome: 'stopped', conclusionSeq: 4, answer, reviewBy: null })
  })
  it.each(goalStates.filter((state) => !['open', 'underway', 'review'].includes(state)))('stops nothing that is %s', (state) => {
    expect(() => advanceGoal(goal(state), { type: 'goal.end', outcome: 'stopped', seq: 4, at, answer: null })).toThrow(DomainError)
  })
  it('lets no principal take a delivery back', () => {
    expect(() => advanceGoal(goal('review'), { type: 'goal.end', outcome: 'failed', seq: 4, at, answer: null })).toThrow(DomainError)
  })
})
