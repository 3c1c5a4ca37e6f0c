import { describe, expect, it } from 'vitest'
import { attachedFilesOf, draftFromEarlierGoal } from '../../../../../app/goals/new/_draft/draft-from-earlier-goal.ts'
import { emptyDraft, type GoalDraft, readDraft } from '../../../../../app/goals/new/_draft/goal-draft.ts'
import { translate } from '../../../translate.ts'

const hourMs = 3_600_000
const posted = new Date('2026-10-01T10:00:00Z')
const now = new Date('2026-11-28T09:00:00Z')
const clientId = `did:pkh:eip155:31337:0x${'ab'.repeat(20)}`

const goal = {
  ...{ id: 'gol_1', clientId, text: 'Sum the invoices by month.', originalText: 'add up my bills', givenValues: [], contest: null },
  criteria: [{ text: 'Every month has a sum.' }, { text: 'The total is stated.' }],
  ...{ budget: 12_500_000n, deadline: new Date(posted.getTime() + 50 * hourMs), postedAt: posted },
  ...{ reviewHours: 48, checkedReviewHours: null, onSilence: 'split', revisionRounds: 3, visibility: 'private', planner: 'deterministic' },
  planners: ['agt_00000000000000000000000000000001'],
}
const hold = { rail: 'escrow', vetoSeconds: 2 * 3_600, isQuoted: false }
const preferences = { prefer: ['agt_a'], require: [], exclude: ['agt_b', 'agt_c'], max_agents: 3, sub_hiring: false }
const run = { goal, hold, preferences, latestDeadline: new Date(goal.deadline.getTime() + 12 * hourMs) }
const facts = { id: '01', now, decimals: 6, budget: null, follows: false }
const repeat = (change: object, more: object = {}): GoalDraft =>
  draftFromEarlierGoal({ ...run, ...change } as unknown as Parameters<typeof draftFromEarlierGoal>[0], { ...facts, ...more })

describe('draftFromEarlierGoal', () => {
  it('has every term of the goal, so that posting it asks for the same', () => {
    const draft = repeat({})
    expect(draft).toMatchObject({
      ...{
        text: goal.text,
        originalText: goal.originalText,
        criteria: ['Every month has a sum.', 'The total is stated.'],
        budget: '12.50',
      },
      ...{ reviewHours: '48', checkedReviewHours: '', onSilence: 'split', revisionRounds: '3', extensionHours: '12', vetoHours: '2' },
      ...{ preferredAgents: 'agt_a', excludedAgents: 'agt_b, agt_c', maxAgents: '3', allowsSubTeams: false },
      ...{ visibility: 'private', planners: goal.planners[0], rail: 'escrow', followsId: '' },
    })
    expect(new Date(draft.deadline).getTime()).toBe(now.getTime() + 50 * hourMs)
  })

  it('takes a new budget, and says which goal it continues', () => {
    expect(repeat({}, { budget: '20.00', follows: true })).toMatchObject({ budget: '20.00', followsId: 'gol_1' })
  })

  it('leaves the planner of a quoted goal to the next quote', () => {
    expect(repeat({ hold: { rail: 'stripe', vetoSeconds: 0, isQuoted: true } })).toMatchObject({
      planners: '',
      vetoHours: '24',
      rail: 'stripe',
    })
  })

  it('leaves at least an hour, and no preferences where the goal had none', () => {
    const draft = repeat({ goal: { ...goal, deadline: posted }, preferences: null, latestDeadline: posted })
    expect(new Date(draft.deadline).getTime()).toBe(now.getTime() + hourMs)
    expect(draft).toMatchObject({ preferredAgents: '', maxAgents: '', allowsSubTeams: true, extensionHours: '0' })
  })

  it.each([
    [{ kind: 'sha256', sha256: 'ab'.repeat(32) }, 'sha256', 'ab'.repeat(32)],
    [{ kind: 'json_schema', schema: { type: 'object' } }, 'json_schema', '{\n  "type": "object"\n}'],
    [{ kind: 'tests', tests: [{ name: 'a', body: 'assert(f(1))' }] }, 'tests', 'assert(f(1))'],
    [
      {
        kind: 'tests',
        tests: [
          { name: 'a', body: 'const x = 1' },
          { name: 'b', body: 'const x = 2' },
        ],
      },
      'tests',
      '{\nconst x = 1\n}\n{\nconst x = 2\n}',
    ],
  ])('has the check of a contest as text: %#', (check, checkKind, checkText) => {
    const contest = { max_entries: 5, entries_by: new Date(posted.getTime() + 20 * hourMs).toISOString(), check }
    const draft = repeat({ goal: { ...goal, contest } })
    expect(draft).toMatchObject({ isContest: true, maxEntries: '5', checkKind, checkText })
    expect(new Date(draft.entriesBy).getTime()).toBe(now.getTime() + 20 * hourMs)
  })

  it('can be posted as it is', () => {
    const draft = repeat({ preferences: null })
    const read = readDraft(draft, { decimals: 6, now, balance: null, min: 1n, hasArbitrator: true }, translate('views.goalDraftFaults'))
    expect(read.ok && read.goal).toMatchObject({ text: goal.text, budget: '12500000', on_silence: 'split', visibility: 'private' })
    expect(read.ok && read.goal.follows).toBeUndefined()
    const followed = readDraft(
      { ...draft, followsId: 'gol_00000000000000000000000000000001' },
      { decimals: 6, now, balance: null, min: 1n, hasArbitrator: true },
      translate('views.goalDraftFaults'),
    )
    expect(followed.ok && followed.goal.follows).toBe('gol_00000000000000000000000000000001')
    expect(Object.keys(draft).toSorted()).toEqual(Object.keys(emptyDraft('01', now)).toSorted())
  })
})

describe('attachedFilesOf', () => {
  it("has the client's own files, and neither outputs nor erased ones", () => {
    const file = { sha256: 'a', name: 'a.csv', task_id: null, by: clientId }
    const artifacts = [file, { ...file, task_id: 'tsk_1' }, { ...file, by: 'did:key:z6Mk' }, { ...file, erased_at: '2026-11-01T00:00:00Z' }]
    expect(attachedFilesOf({ goal, artifacts } as unknown as Parameters<typeof attachedFilesOf>[0])).toEqual([file])
  })
})
