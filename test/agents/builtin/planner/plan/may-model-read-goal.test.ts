import { describe, expect, it } from 'vitest'
import { listAdmittedOffers, mayModelReadGoal } from '../../../../../agents/builtin/planner/plan/may-model-read-goal.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { quoteGoal } from '../../../../../agents/builtin/planner/quote/quote-goal.ts'
import { specialistDraftOf } from '../../../../../agents/builtin/specialists/index.ts'
import { reportMarket } from '../../market.ts'
import { settingsFor } from '../../specialists/run-specialist.ts'

const [any] = reportMarket()
if (!any) throw new Error('the market is empty')
const author = {
  ...any,
  ...specialistDraftOf('author', any.payout, settingsFor('http://127.0.0.1:9/v1')),
  agent_id: `agt_${'7'.repeat(32)}`,
} as typeof any
const listings = [...reportMarket(), author]

describe('mayModelReadGoal', () => {
  it.each([
    ['public', 'deterministic', true],
    ['public', 'copilot', true],
    ['private', 'model', true],
    ['private', 'hybrid', true],
    ['private', 'deterministic', false],
    ['private', 'copilot', false],
  ] as const)('for a %s goal in mode %s is %s', (visibility, planner, isAdmitted) => {
    expect(mayModelReadGoal({ visibility, planner })).toBe(isAdmitted)
  })
})

describe('listAdmittedOffers', () => {
  it('leaves out the agents that declare a language model', () => {
    const offers = toSkillOffers(listings)
    expect(listAdmittedOffers(offers, false)).toEqual(toSkillOffers(reportMarket()))
    expect(listAdmittedOffers(offers, true)).toEqual(offers)
  })
})

describe('quoteGoal', () => {
  const goal = { text: 'Translate "good morning" to German', criteria: [], attachments: [], answers: [] }
  const request = { goal, listings, planner: { agent_id: 'agt_planner', price: 1_000_000n }, payable: null, decimals: 6 }

  it('plans a translation by the agent with a model, from the words alone', () => {
    expect(quoteGoal(request)).toMatchObject({
      outcome: 'planned',
      steps: [
        {
          skillId: 'writing.translation',
          inputs: [{ type: 'query.translation', data: { text: 'good morning', target_language: 'German' } }],
        },
      ],
    })
  })

  it('offers no agent with a model for a goal that does not admit one', () => {
    expect(quoteGoal({ ...request, isModelAdmitted: false })).toMatchObject({ outcome: expect.stringMatching(/unavailable|question/) })
  })
})
