import { afterEach, describe, expect, it } from 'vitest'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { createHybridStrategy } from '../../../../../agents/builtin/planner/strategies/hybrid-strategy.ts'
import { createModelStrategy } from '../../../../../agents/builtin/planner/strategies/model-strategy.ts'
import type { PlanningInput } from '../../../../../agents/builtin/planner/strategies/strategy.ts'
import { type MisbehavingModel, type ModelReply, startMisbehavingModel } from '../../../../support/misbehaving-model.ts'
import { guideText, reportMarket } from '../../market.ts'

const offers = toSkillOffers(reportMarket())
const numberOf = (skill: string) => offers.findIndex((offer) => offer.skill.id === skill)
const input: PlanningInput = {
  goal: { text: guideText, criteria: [], attachments: [], answers: [] },
  ...{ offers, payable: 5_000_000n, decimals: 6, msLeft: 3_600_000, refusals: [] },
}

let model: MisbehavingModel | undefined
afterEach(async () => {
  await model?.[Symbol.asyncDispose]()
  model = undefined
})
async function planWith(make: typeof createModelStrategy, reply: (nth: number) => ModelReply) {
  model = await startMisbehavingModel(reply)
  return make({ apiKey: 'none', baseURL: model.baseURL, model: 'm', timeoutMs: 300, backoffMs: 5 })(input)
}
const figures = (json: string) => ({
  question: null,
  summary: 'Revenue.',
  values: [{ type: 'query.figures', json }],
  wanted: ['table.series'],
  steps: [{ offer: numberOf('figures.lookup'), inputs: [{ port: 'query', from_step: null, value: 1 }] }],
})
const valid = figures('{"company":"Microsoft","from":2014,"to":2020}')

describe.each([
  ['model', createModelStrategy],
  ['hybrid', createHybridStrategy],
] as const)('a planner in mode %s', (_, make) => {
  it.each([
    'broken JSON',
    'no completion',
    'HTML',
    'nothing',
    'oversized',
    'endless',
    'silence',
    'a status of 429',
    'a status of 500',
    'a status of 401',
    'a redirect',
    'a dropped connection',
    'an empty answer',
    'an answer that is cut',
  ] as const)('plans by rule, and reports it, if the model answers with %s', async (failure) => {
    const planned = await planWith(make, () => failure)
    expect(planned).toMatchObject({ mode: 'deterministic', summary: expect.stringContaining('so I plan by rule') })
    expect(model?.asked.length).toBeLessThanOrEqual(6)
  })
})

describe('a planner in mode hybrid', () => {
  it('takes the plan after a failure that passes', async () => {
    const planned = await planWith(createHybridStrategy, (nth) =>
      nth === 1 ? 'a status of 500' : nth === 2 ? { content: 'I would say' } : { content: valid },
    )
    expect(planned).toMatchObject({ mode: 'hybrid' })
  })

  it('shows the client the values as they go to the agents', async () => {
    const planned = await planWith(createHybridStrategy, () => ({ content: valid }))
    expect(planned).toMatchObject({ summary: 'Revenue. Read as: Look up annual figures: {"company":"Microsoft","from":2014,"to":2020}' })
  })

  it.each([
    [
      'a value that its schema does not accept',
      figures('{"company":"Microsoft","from":"early"}'),
      /value for query\.figures is not of its schema/,
    ],
    ['an offer that an injected goal invents', { ...valid, steps: [{ offer: 4_711, inputs: [] }] }, /offer 4711, which does not exist/],
    ['a plan that contradicts its types', { ...valid, wanted: ['report.markdown'] }, /Nothing makes report\.markdown/],
  ])('returns %s to the model with the reason, and plans by rule in the end', async (_, content, reason) => {
    const planned = await planWith(createHybridStrategy, () => ({ content }))
    expect(planned).toMatchObject({ mode: 'deterministic', made: { refused: expect.arrayContaining([expect.stringMatching(reason)]) } })
    expect(model?.asked).toHaveLength(3)
  })
})
