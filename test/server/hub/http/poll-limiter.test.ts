import { describe, expect, it } from 'vitest'
import { createPollLimiter } from '../../../../server/hub/http/poll-limiter.ts'

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
    const polls = createPollLimiter({ maxPerAgent: 2, maxPerSource: 3 })
    const first = polls.acquire('agt_1', '10.0.0.1')
    polls.acquire('agt_1', '10.0.0.1')
    expect(codeOf(() => polls.acquire('agt_1', '10.0.0.2'))).toBe('rate.exceeded')
    polls.acquire('agt_2', '10.0.0.1')
    expect(codeOf(() => polls.acquire('agt_3', '10.0.0.1'))).toBe('rate.exceeded')
    first()
    first()
    expect(codeOf(() => polls.acquire('agt_3', '10.0.0.1'))).toBeNull()
    expect(codeOf(() => polls.acquire('agt_1', '10.0.0.2'))).toBeNull()
  })
})
