import { describe, expect, it } from 'vitest'
import { quoteGoal } from '../../agents/builtin/planner/quote/quote-goal.ts'
import home from '../../app/_messages/en/home.json' with { type: 'json' }
import { builtinMarket, idOf } from '../agents/builtin/market.ts'

const planner = { agent_id: idOf('agt', 'house-principal'), price: 1_000_000n }

describe('the examples of the search box', () => {
  it.each([
    ['prices', 1],
    ['workingDays', 1],
    ['list', 1],
    ['cron', 1],
    ['chart', 2],
  ] as const)('%s has a plan of the built-in agents', (name, steps) => {
    const goal = { text: home.workRequestBox[name], criteria: [], attachments: [], answers: [] }
    const quote = quoteGoal({ goal, listings: builtinMarket(), planner, payable: null, decimals: 6 })
    expect(quote).toMatchObject({ outcome: 'planned' })
    if (!('steps' in quote)) throw new Error('There is no plan.')
    expect(quote.steps.length).toBeGreaterThanOrEqual(steps)
    if (steps === 1) expect(quote.steps.map(({ inputs }) => inputs?.length)).toEqual([1])
  })
})
