import { describe, expect, it } from 'vitest'
import { newestReviewerVerdict, readReviewerVerdict } from '../../../../../../app/goals/[id]/_run/result/read-reviewer-verdict.ts'

describe('newestReviewerVerdict', () => {
  it('is the last one that a task of the goal made, never one that was attached to it', () => {
    const made = (task_id: string | null, artifact_type = 'review.verdict') => ({ artifact_type, task_id })
    const second = made('tsk_2')
    expect(newestReviewerVerdict([made('tsk_1'), second, made('tsk_3', 'report.markdown')])).toBe(second)
    expect(newestReviewerVerdict([second, made(null)])).toBe(second)
    expect(newestReviewerVerdict([made(null)])).toBeUndefined()
  })
})

describe('readReviewerVerdict', () => {
  it('takes what has the shape of a verdict, and nothing else', () => {
    const verdict = { pass: true, criteria: [{ text: 'There is a chart.', pass: null }] }
    expect(readReviewerVerdict(JSON.stringify(verdict))?.criteria[0]).toMatchObject({ pass: null, evidence: '' })
    for (const text of ['', '{', '{"pass":"yes","criteria":[]}', '[]']) expect(readReviewerVerdict(text)).toBeNull()
  })
})
