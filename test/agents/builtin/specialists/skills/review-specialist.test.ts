import { describe, expect, it } from 'vitest'
import { reviewSpecialist } from '../../../../../agents/builtin/specialists/skills/review-specialist.ts'
import { always, runSpecialist, textInput } from '../run-specialist.ts'

const files = [textInput('Dear Ann, the shop opens on Monday.', 'letter.md', 'text.written')]
const query = { text: 'Write a letter to Ann', criteria: [{ text: 'It greets Ann' }, { text: 'It is kind' }] }
const verdict = (criterion: number, status: string, quote?: string) => ({
  criterion,
  status,
  reason: 'As seen.',
  quotes: quote === undefined ? [] : [{ deliverable: 1, quote }],
})
const review = (content: unknown, given = files) => runSpecialist(reviewSpecialist, { query, files: given }, always(content))

describe('reviewSpecialist', () => {
  it('cites the words of the deliverable', async () => {
    const { answer } = await review({ answers_goal: true, verdicts: [verdict(1, 'met', 'Dear Ann'), verdict(2, 'unchecked')] })
    expect(JSON.parse(answer.files[0]?.text ?? '')).toMatchObject({
      pass: true,
      criteria: [
        { status: 'met' },
        { text: 'It greets Ann', status: 'met', pass: true, evidence: 'As seen. letter.md: “Dear Ann”' },
        { status: 'unchecked', pass: null },
      ],
    })
    expect(answer.text).toBe('Passed: 2 met, 0 failed, 1 unchecked.')
  })

  it('says if nothing answers the goal', async () => {
    const { answer } = await review({ answers_goal: false, verdicts: [verdict(1, 'met', 'Dear Ann'), verdict(2, 'unchecked')] })
    expect(JSON.parse(answer.files[0]?.text ?? '').pass).toBe(false)
    expect(answer.text).toContain('No deliverable answers the goal.')
  })

  it.each([
    ['a verdict without evidence', { answers_goal: true, verdicts: [verdict(1, 'met'), verdict(2, 'unchecked')] }, 'met without a quote'],
    [
      'evidence that is not there',
      { answers_goal: true, verdicts: [verdict(1, 'met', 'Dear Bob'), verdict(2, 'unchecked')] },
      'does not have these words',
    ],
    ['a criterion that is left out', { answers_goal: true, verdicts: [verdict(1, 'met', 'Dear Ann')] }, 'once, in order'],
  ])('refuses %s', async (_, content, reason) => {
    await expect(review(content)).rejects.toThrow(reason)
  })

  it('has nothing to review without a deliverable', async () => {
    await expect(review({}, [])).rejects.toThrow('no deliverable')
  })
})
