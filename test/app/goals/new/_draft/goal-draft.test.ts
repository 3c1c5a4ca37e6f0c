import { describe, expect, it } from 'vitest'
import {
  emptyDraft,
  type GoalDraft,
  localDeadline,
  pageOf,
  readDraft,
  restoreDraft,
} from '../../../../../app/goals/new/_draft/goal-draft.ts'
import { goalTemplates } from '../../../../../app/goals/new/_draft/goal-templates.ts'
import { translate } from '../../../translate.ts'
import { now } from '../../[id]/_run/samples.ts'

const t = translate('views.goalDraftFaults')

const facts = { decimals: 6, now, balance: 100_000_000n, min: 100_000n, hasArbitrator: true }
const good = {
  ...emptyDraft('01', now),
  text: 'Count the bicycles in the harbour.',
  criteria: ['There is a count.', ' '],
}
const faultsOf = (draft: GoalDraft, more = facts) => {
  const read = readDraft(draft, more, t)
  return read.ok ? [] : read.faults.map((fault) => fault.field)
}

describe('readDraft', () => {
  it('makes a goal, leaves blank criteria out, and writes money in base units and time in UTC', () => {
    const read = readDraft(good, facts, t)
    expect(read.ok && read.goal).toMatchObject({ budget: '10000000', criteria: [{ text: 'There is a count.' }], review_hours: 72 })
    expect(read.ok && read.goal.deadline).toBe(new Date(good.deadline).toISOString())
  })

  it.each([
    ['text', { text: 'hi' }],
    ['criteria', { criteria: ['', '  '] }],
    ['budget', { budget: '1,5' }],
    ['budget', { budget: '0' }],
    ['budget', { budget: '0.09' }],
    ['budget', { budget: '0.0000001' }],
    ['budget', { budget: '100.01' }],
    ['budget', { rail: 'stripe', budget: '0.49' }],
    ['budget', { rail: 'stripe', budget: '10.001' }],
    ['deadline', { deadline: '2020-01-01T00:00' }],
    ['deadline', { deadline: '' }],
    ['deadline', { deadline: localDeadline(now, 91) }],
    ['text', { text: 'x'.repeat(60_000) }],
    ['criteria', { criteria: ['There is a count.', 'y'.repeat(401)] }],
    ['planners', { planners: 'agt_nobody' }],
    ['reviewHours', { reviewHours: '337' }],
    ['attachments', { attachments: [{ name: 'a.csv', mediaType: 'text/csv', content: '', size: 2_097_153 }] }],
    [
      'attachments',
      {
        attachments: ['a', 'b', 'c', 'd'].map((name) => ({ name, mediaType: 'text/csv', content: 'x'.repeat(2_000_000), size: 1_500_000 })),
      },
    ],
  ] as const)('refuses a draft for its %s', (field, change) => {
    expect(faultsOf({ ...good, ...change })).toContain(field)
  })

  it('posts at once what is too long, too late or no planner, and names the page of its field', () => {
    const id = `agt_${'0'.repeat(32)}`
    const draft = {
      ...good,
      text: 'x'.repeat(60_000),
      criteria: ['There is a count.', 'y'.repeat(401)],
      planners: id,
      deadline: localDeadline(now, 91),
    }
    const read = readDraft(draft, { ...facts, unknownPlanner: id }, t)
    expect(read.ok ? [] : read.faults.map(({ field, text, atOnce }) => [field, pageOf[field], text, atOnce])).toEqual([
      ['deadline', 1, 'Choose a time within 90 days from now.', true],
      ['text', 0, 'Shorten the text to 4,000 characters, or attach it as a file.', true],
      ['criteria', 0, 'Shorten criterion 2 to 400 characters.', true],
      ['planners', 1, `This market lists no planner with the id ${id}.`, true],
    ])
  })

  it('has silence refund on the escrow where no arbitrator could stop a payment', () => {
    const outcomeOf = (more: Partial<GoalDraft>, hasArbitrator: boolean) => {
      const read = readDraft({ ...good, ...more }, { ...facts, hasArbitrator }, t)
      return read.ok && read.goal.on_silence
    }
    expect(outcomeOf({ onSilence: 'pay' }, true)).toBe('pay')
    expect(outcomeOf({ onSilence: 'pay' }, false)).toBe('refund')
    expect(outcomeOf({ onSilence: 'split', rail: 'stripe' }, false)).toBe('split')
  })

  it('does not ask the wallet for what a card pays', () => {
    const read = readDraft({ ...good, rail: 'stripe', budget: '500' }, facts, t)
    expect(read.ok && read.goal).toMatchObject({ rail: 'stripe', budget: '500000000' })
  })

  it('takes the criteria of the quote if none are written, and refuses a budget below the plan with figures that add up', () => {
    const suggestedCriteria = ['There is a written report.']
    const read = readDraft({ ...good, criteria: [''] }, { ...facts, suggestedCriteria }, t)
    expect(read.ok && read.goal.criteria).toEqual([{ text: 'There is a written report.' }])
    const quoted = { total: 3_400_000n, fee: 85_000n }
    const low = readDraft({ ...good, budget: '3.484999' }, { ...facts, quoted }, t)
    expect(low.ok ? [] : low.faults.map((fault) => fault.text)).toEqual([
      'The plan costs 3.40 and the fee is 0.085. The budget must be at least 3.485.',
    ])
    expect(readDraft({ ...good, budget: '3.485' }, { ...facts, quoted }, t).ok).toBe(true)
  })

  it('does not hold a budget against a balance that is not known', () => {
    expect(readDraft({ ...good, budget: '5000' }, { ...facts, balance: null }, t).ok).toBe(true)
  })
})

describe('goalTemplates', () => {
  it.each(goalTemplates(translate('post.templates')).map((one) => [one.name, one] as const))(
    '%s is a goal as it stands',
    (_name, template) => {
      expect(readDraft({ ...emptyDraft('01', now), ...template.fields }, facts, t).ok).toBe(true)
    },
  )
})

describe('restoreDraft', () => {
  it('restores what was saved and drops what is damaged or older', () => {
    expect(restoreDraft(JSON.stringify(good))).toEqual(good)
    expect(restoreDraft('{')).toBeNull()
    expect(restoreDraft('null')).toBeNull()
    expect(restoreDraft(JSON.stringify({ ...good, criteria: 'one' }))).toBeNull()
    expect(restoreDraft(null)).toBeNull()
  })
})

describe('localDeadline', () => {
  it('is on the full hour, the days ahead, and readable as local time', () => {
    expect(new Date(localDeadline(now, 2)).getTime()).toBe(now.getTime() + 2 * 86_400_000)
  })
})
