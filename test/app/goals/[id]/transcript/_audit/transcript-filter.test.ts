import { describe, expect, it } from 'vitest'
import { isTranscriptFiltered, readFilter, writeFilter } from '../../../../../../app/goals/[id]/transcript/_audit/transcript-filter.ts'

const read = (query: string) => readFilter(new URLSearchParams(query))

describe('readFilter', () => {
  it('is the inverse of writeFilter', () => {
    const filter = { agent: 'did:key:z6Mk', state: 'execution', type: 'task_result', task: `tsk_${'0'.repeat(32)}`, text: 'a & b = c' }
    expect(read(writeFilter(filter).slice(1))).toEqual(filter)
    expect(writeFilter({})).toBe('')
  })

  it('leaves out states, types and tasks that do not exist', () => {
    expect(read('state=elsewhere&type=shout&task=tsk_1&text=%20%20')).toEqual({})
    expect(isTranscriptFiltered(read('state=elsewhere'))).toBe(false)
    expect(isTranscriptFiltered(read('state=execution'))).toBe(true)
  })
})
