import { describe, expect, it } from 'vitest'
import { quoteGoal } from '../../agents/builtin/planner/quote/quote-goal.ts'
import messages from '../../app/_messages/en/goals.json' with { type: 'json' }
import { builtinMarket, idOf } from '../agents/builtin/market.ts'

const { title: _title, example: _example, seePlan: _seePlan, ...examples } = messages.exampleGoals

describe('an example on the empty board', () => {
  it.each(Object.values(examples))('has a plan of the built-in agents: %s', (text) => {
    const quote = quoteGoal({
      goal: { text, criteria: [], attachments: [], heads: {}, answers: [] },
      listings: builtinMarket(),
      planner: { agent_id: idOf('agt', 'house-principal'), price: 1_000_000n },
      payable: null,
      decimals: 6,
      isSuggesting: true,
    } as never)
    expect(quote).toMatchObject({ steps: expect.any(Array), unusedWords: [] })
  })
})
