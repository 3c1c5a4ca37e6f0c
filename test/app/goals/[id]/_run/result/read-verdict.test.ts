import { describe, expect, it } from 'vitest'
import { newestVerdict, readVerdict } from '../../../../../../app/goals/[id]/_run/result/read-verdict.ts'

describe('newestVerdict', () => {
  it('is the last one that a task of the goal made, never one that was attached to it', () => {
    const made = (task_id: string | null, artifact_type = 'review.verdict') => ({ artifact_type, task_id })
    const second = made('tsk_2')
    expect(newestVerdict([made('tsk_1'), second, made('tsk_3', 'report.markdown')])).toBe(second)
    expect(newestVerdict([second, made(null)])).toBe(second)
    expect(newestVerdict([made(null)])).toBeUndefined()
  })
})

describe('readVerdict', () => {
  it('takes what has the shape of a verdict, and nothing else', () => {
    const verdict = { pass: true, criteria: [{ text: 'There is a chart.', pass: null }] }
    expect(readVerdict(JSON.stringify(verdict))?.criteria[0]).toMatchObject({ pass: null, evidence: '' })
    for (const text of ['', '{', '{"pass":"yes","criteria":[]}', '[]']) expect(readVerdict(text)).toBeNull()
  })
})
