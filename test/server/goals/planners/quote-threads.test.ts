import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { quoteGoal } from '../../../../agents/builtin/planner/quote/quote-goal.ts'
import { createQuoteThreads } from '../../../../server/goals/planners/quote-threads/quote-threads.ts'
import { builtinMarket } from '../../../agents/builtin/market.ts'

const threads = createQuoteThreads()
const hanging = createQuoteThreads(path.join(import.meta.dirname, 'quote-hanging-worker.ts'), 500)
afterAll(async () => {
  await threads.close()
  await hanging.close()
})

const requestFor = (text: string) => ({
  goal: { text, criteria: [], attachments: [], answers: [] },
  listings: builtinMarket(),
  planner: { agent_id: 'agt_planner', price: 1_000_000n },
  payable: null,
  decimals: 6,
})

describe('planning in worker threads', () => {
  it('gives the same quotes as the planner', async () => {
    for (const text of ['What is 15% of 240?', 'Sing me a song about the sea', 'Plot the annual revenue, please']) {
      const request = requestFor(text)
      expect(await threads.quote(request, 'a reader')).toEqual(quoteGoal(request))
    }
  })

  it('loads the planner before the first goal, in the thread that reads it', async () => {
    const warm = createQuoteThreads(path.join(import.meta.dirname, 'quote-hanging-worker.ts'))
    await warm.warmUp()
    expect(await warm.quote('is warm' as never, 'a reader')).toBe(true)
    await warm.close()
  })

  it('ends a thread that takes too long, states what to do, and continues with another', async () => {
    await expect(hanging.quote('hang' as never, 'a reader')).rejects.toMatchObject({ code: 'goal.planning_too_slow' })
    await expect(hanging.quote('throw' as never, 'a reader')).rejects.toThrow('broken')
    expect(await hanging.quote('fine' as never, 'a reader')).toBe('fine')
  })

  it('does not end a thread that waits for a processor', async () => {
    expect(await hanging.quote('wait' as never, 'a reader')).toBe('wait')
  })

  it('leaves the event loop to others while a goal is read', async () => {
    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    await hanging.quote('hang' as never, 'a reader').catch(() => undefined)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(10)
  })

  it('refuses the excess of one source, and answers another before the rest of the first', async () => {
    let [answered, refused] = [0, 0]
    const flood = Array.from({ length: 30 }, () =>
      hanging.quote('hang' as never, 'a flood').catch((error: { code?: string }) => {
        if (error.code === 'goal.planning_overloaded') refused++
        else answered++
      }),
    )
    expect(await hanging.quote('fine' as never, 'a reader')).toBe('fine')
    expect(refused).toBeGreaterThan(0)
    const before = answered
    await Promise.all(flood)
    expect(answered).toBeGreaterThan(before)
  })
})
