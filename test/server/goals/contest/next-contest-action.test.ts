import { describe, expect, it } from 'vitest'
import type { ContestEntry } from '../../../../server/goals/contest/entry.ts'
import {
  type ContestTerms,
  decisionDueAt,
  findContestFault,
  nextContestAction,
} from '../../../../server/goals/contest/next-contest-action.ts'

const hour = 3_600_000
const start = new Date('2026-12-01T00:00:00Z')
const hoursLater = (hours: number) => new Date(start.getTime() + hours * hour)
const check = { kind: 'sha256' as const, sha256: '0'.repeat(64) }
const terms = (more: Partial<ContestTerms> & { check?: typeof check; by?: number } = {}): ContestTerms => ({
  contest: { max_entries: 4, entries_by: hoursLater(more.by ?? 10).toISOString(), ...(more.check && { check }) },
  onSilence: 'refund',
  deadline: hoursLater(48),
  vetoHours: 24,
  ...more,
})
const entry = (id: string, state: ContestEntry['state'] = 'submitted') => ({ id, state }) as ContestEntry
const entries = [entry('replaced', 'replaced'), entry('first'), entry('second')]

describe('decisionDueAt', () => {
  it('is the deadline where the client decides, and leaves time for a veto where it need not', () => {
    expect(decisionDueAt(terms())).toEqual(hoursLater(48))
    for (const alone of [terms({ onSilence: 'pay' }), terms({ check })]) expect(decisionDueAt(alone)).toEqual(hoursLater(23.75))
  })
})

describe('findContestFault', () => {
  it.each([
    ['a contest', terms(), null],
    ['one whose entry silence pays', terms({ onSilence: 'pay' }), null],
    ['entries that are over already', terms({ by: 0 }), /at least one minute/],
    ['entries until after the deadline', terms({ by: 49 }), /before 2026-12-03T00:00/],
    ['no time for a veto', terms({ onSilence: 'pay', by: 24 }), /before 2026-12-01T23:45/],
    ['entries that no check can decide in time', terms({ check, by: 23.6 }), /before 2026-12-01T23:35/],
    ['entries that a check can decide in time', terms({ check, by: 23.5 }), null],
    ['a check without a veto window', terms({ check, vetoHours: 0 }), /`veto_hours` of at least 1/],
    ['silence that pays without one', terms({ onSilence: 'pay', vetoHours: 0 }), /`veto_hours` of at least 1/],
    ['no veto window where only the client decides', terms({ vetoHours: 0 }), null],
  ])('%s', (_, given, fault) => {
    const found = findContestFault(given, start)
    if (fault === null) expect(found).toBeNull()
    else expect(found).toMatch(fault)
  })
})

describe('nextContestAction', () => {
  it('waits for entries, then for the client', () => {
    expect(nextContestAction(terms(), entries, hoursLater(9))).toEqual({ wait: hoursLater(10) })
    expect(nextContestAction(terms(), entries, hoursLater(10))).toEqual({ wait: hoursLater(48) })
    expect(nextContestAction(terms({ onSilence: 'pay' }), entries, hoursLater(11))).toEqual({ wait: hoursLater(23.75) })
  })

  it('ends without entries when these close, and without a choice where silence refunds', () => {
    expect(nextContestAction(terms(), [entry('old', 'replaced'), entry('gone', 'declined')], hoursLater(10))).toEqual({
      end: 'without_entries',
    })
    expect(nextContestAction(terms(), entries, hoursLater(48))).toEqual({ end: 'without_choice' })
  })

  it('chooses the earliest entry where silence pays, and the next ones if that can not be paid', () => {
    const action = nextContestAction(terms({ onSilence: 'pay' }), entries, hoursLater(24))
    expect('choose' in action && action.choose.map(({ id }) => id)).toEqual(['first', 'second'])
  })

  it('pays nothing that has not passed a check, also where silence pays', () => {
    for (const onSilence of ['pay', 'refund'] as const)
      expect(nextContestAction(terms({ check, onSilence }), entries, hoursLater(24))).toEqual({ end: 'without_pass' })
  })
})
