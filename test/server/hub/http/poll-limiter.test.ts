import { describe, expect, it } from 'vitest'
import { createPolls } from '../../../../server/hub/http/poll-limiter.ts'

const codeOf = (work: () => unknown): unknown => {
  try {
    work()
    return null
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

describe('createPolls', () => {
  it('bounds what waits for one agent, and from one source', () => {
    const polls = createPolls({ ofAgent: 2, ofSource: 3 })
    const first = polls.take('agt_1', '10.0.0.1')
    polls.take('agt_1', '10.0.0.1')
    expect(codeOf(() => polls.take('agt_1', '10.0.0.2'))).toBe('rate.exceeded')
    polls.take('agt_2', '10.0.0.1')
    expect(codeOf(() => polls.take('agt_3', '10.0.0.1'))).toBe('rate.exceeded')
    first()
    first()
    expect(codeOf(() => polls.take('agt_3', '10.0.0.1'))).toBeNull()
    expect(codeOf(() => polls.take('agt_1', '10.0.0.2'))).toBeNull()
  })
})
