import { type GoalState, goalStates, goalTransitions } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../../../server/errors.ts'
import { advanceGoal, type Goal, type GoalEvent, revisionDueAt } from '../../../server/goals/goal.ts'

const at = new Date('2026-01-01T00:00:00Z')
const goal = (state: GoalState): Goal =>
  ({
    id: 'gol_1',
    state,
    reviewHours: 2,
    revisionRounds: 2,
    revisions: 0,
    deadline: new Date('2026-01-02T00:00:00Z'),
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
  it.each(pairs)('%s → %s is as in the table', (from, state, event) => {
    const isAllowed = (goalTransitions[from] as readonly string[]).includes(state)
    // From a review only a request for changes leads back to work.
    const isRevision = from === 'review' && state === 'underway'
    if (isRevision) return expect(advanceGoal(goal(from), { type: 'goal.revise' })).toMatchObject({ state, outcome: null, revisions: 1 })
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
  it.each(goalStates.filter((state) => state !== 'review'))('has no changes made to what is %s', (state) => {
    expect(() => advanceGoal(goal(state), { type: 'goal.revise' })).toThrow(DomainError)
  })
  it('gives requested changes up at the deadline', () => {
    const before = new Date('2026-01-01T23:00:00Z')
    const deadline = new Date('2026-01-02T00:00:00Z')
    expect(revisionDueAt(goal('underway'), true, before)).toEqual(deadline)
    expect(revisionDueAt(goal('underway'), true, deadline)).toBe('now')
    expect(revisionDueAt(goal('underway'), false, deadline)).toBeNull()
    expect(revisionDueAt(goal('review'), true, deadline)).toBeNull()
  })
  it('lets no principal take a delivery back', () => {
    expect(() => advanceGoal(goal('review'), { type: 'goal.end', outcome: 'failed', seq: 4, at, answer: null })).toThrow(DomainError)
  })
})
