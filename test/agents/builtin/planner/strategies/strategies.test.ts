import { afterEach, describe, expect, it } from 'vitest'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { deterministicStrategy, noModelStrategy } from '../../../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { createHybridStrategy } from '../../../../../agents/builtin/planner/strategies/hybrid-strategy.ts'
import { createModelStrategy } from '../../../../../agents/builtin/planner/strategies/model-strategy.ts'
import type { PlanningInput, PlanningStrategy } from '../../../../../agents/builtin/planner/strategies/strategy.ts'
import { loadStrategies, selectWithoutModel } from '../../../../../agents/builtin/planner/strategies/strategy-selector.ts'
import {
  type Asked,
  type Exchange,
  type ModelAnswer,
  type ModelDouble,
  replayOf,
  startModelDouble,
} from '../../../../support/model-double.ts'
import { answerAsModel } from '../../../../support/scripted-model.ts'
import { guideText, reportMarket } from '../../market.ts'
import hybridTalk from '../../transcripts/hybrid.json' with { type: 'json' }
import modelTalk from '../../transcripts/model.json' with { type: 'json' }

const offers = toSkillOffers(reportMarket())
const numberOf = (skill: string) => offers.findIndex((offer) => offer.skill.id === skill)
const input: PlanningInput = {
  goal: { text: guideText, criteria: ['Covers every year from 2014 to 2020'], attachments: [], answers: [] },
  offers,
  payable: 5_000_000n,
  decimals: 6,
  msLeft: 3_600_000,
  refusals: [],
}
const good = {
  question: null,
  summary: 'Revenue as a text chart.',
  values: [{ type: 'query.figures', json: '{"company":"Microsoft","from":2014,"to":2020}' }],
  wanted: ['chart.text'],
  steps: [
    { offer: numberOf('figures.lookup'), inputs: [{ port: 'query', from_step: null, value: 1 }] },
    { offer: numberOf('chart.draw_text'), inputs: [{ port: 'series', from_step: 1, value: null }] },
  ],
}

let double: ModelDouble | undefined
afterEach(async () => {
  await double?.[Symbol.asyncDispose]()
  double = undefined
})

async function against(make: typeof createModelStrategy, answer: (asked: Asked, nth: number) => ModelAnswer): Promise<PlanningStrategy> {
  double = await startModelDouble(answer)
  return make({ apiKey: 'none', baseURL: double.baseURL, model: 'm', timeoutMs: 5_000 })
}
const skillsOf = (planned: Awaited<ReturnType<PlanningStrategy>>) =>
  'plan' in planned ? planned.plan.steps.map((step) => step.offer.skill.id) : []

describe('a recorded talk with a model', () => {
  it.each([
    ['model', createModelStrategy, modelTalk],
    ['hybrid', createHybridStrategy, hybridTalk],
  ] as const)('is the same talk again in mode %s, prompt by prompt', async (mode, make, talk) => {
    const replay = replayOf(talk as readonly Exchange[])
    const planner = await against(make, replay.answer)
    const planned = await planner(input)
    expect(replay.faults).toEqual([])
    expect(double?.asked).toHaveLength(talk.length)
    expect(planned).toMatchObject({ mode, made: { asks: talk.length, prompts: expect.arrayContaining(['plan.v4', 'revise.v2']) } })
    expect(skillsOf(planned)).toEqual(['figures.lookup', 'trend.analyse', 'chart.draw_text', 'report.write', 'work.review'])
    // What was refused on the way was mended: the chart is drawn from the table.
    expect('plan' in planned && planned.plan.steps[2]?.depends_on).toEqual([1])
    expect('plan' in planned && planned.made?.refused).toHaveLength(1)
  })
})

describe('createModelStrategy', () => {
  it('reports to the model what it named and no agent offers, and gives up after so many looks', async () => {
    const planner = await against(createModelStrategy, () => ({ calls: [{ name: 'team_up', args: { agents: ['nobody'] } }] }))
    expect(await planner(input)).toMatchObject({ mode: 'deterministic', summary: expect.stringContaining('it named no team') })
    expect(double?.asked).toHaveLength(7)
    expect(double?.asked.at(-1)?.tool_choice).toEqual({ type: 'function', function: { name: 'team_up' } })
    expect(double?.asked[1]?.messages.at(-1)?.content).toContain('None of these agents was found')
  })

  it('plans with the named team only', async () => {
    const planner = await against(createModelStrategy, (asked) =>
      asked.tools ? { calls: [{ name: 'team_up', args: { agents: ['house-data'] } }] } : { status: 400 },
    )
    await planner(input)
    const question = JSON.parse(double?.asked[1]?.messages[1]?.content ?? '{}')
    expect(new Set(question.offers.map((offer: { agent: string }) => offer.agent))).toEqual(new Set(['house-data']))
  })

  it('is bound by the budget, and gives the reason why its plan was not accepted', async () => {
    const planner = await against(createModelStrategy, answerAsModel)
    const planned = await planner({ ...input, payable: 2_000_000n })
    expect(planned).not.toMatchObject({ mode: 'model' })
  })
})

describe('createHybridStrategy', () => {
  const always = (answer: unknown) => () => ({ content: answer })

  it('asks with a strict schema, and lays out what the model chose', async () => {
    const planner = await against(createHybridStrategy, always(good))
    const planned = await planner(input)
    expect(planned).toMatchObject({
      mode: 'hybrid',
      summary: expect.stringContaining(good.summary),
      plan: { price: 800_000n },
      made: { asks: 1, refused: [] },
    })
    expect(skillsOf(planned)).toEqual(['figures.lookup', 'chart.draw_text'])
    expect(double?.asked[0]?.response_format).toMatchObject({ json_schema: { name: 'plan', strict: true } })
  })

  it('passes the model’s question on', async () => {
    const planner = await against(createHybridStrategy, always({ ...good, question: 'Which company?' }))
    expect(await planner(input)).toEqual({ question: 'Which company?' })
  })

  it.each([
    ['an edge of the wrong type', { ...good, steps: [good.steps[1], good.steps[0]] }, /from step 1, which doesn't make it before/],
    ['an offer that is not there', { ...good, steps: [{ offer: 999, inputs: [] }] }, /hired offer 999/],
    [
      'a port that is not there',
      { ...good, steps: [{ ...good.steps[0], inputs: [{ port: 'nope', from_step: null, value: 1 }] }] },
      /no input nope/,
    ],
    ['a want that nothing makes', { ...good, wanted: ['report.markdown'] }, /Nothing makes report\.markdown/],
    ['a value that is no object', { ...good, values: [{ type: 'query.figures', json: '[1' }] }, /not a JSON object/],
    ['no steps', { ...good, steps: [] }, /no step/],
  ])('gives %s back with the reason, a bounded number of times, then plans by rule and reports it', async (_, answer, reason) => {
    const planner = await against(createHybridStrategy, always(answer))
    const planned = await planner(input)
    expect(planned).toMatchObject({ mode: 'deterministic', summary: expect.stringMatching(/refused 3 times \(.+\), so I plan by rule/) })
    expect(double?.asked).toHaveLength(3)
    expect(double?.asked[1]?.messages.at(-1)?.content).toMatch(reason)
  })

  it.each([
    ['the budget', { payable: 700_000n }, /800000 and 700000 may be spent/],
    ['the deadline', { msLeft: 14_000 }, /2 steps stand one after the other, which takes 15 s at least; 14 s are left/],
    [
      'what its agents take at the same time',
      { offers: offers.map((offer) => ({ ...offer, max_concurrency: 1 })) },
      /house-plotter would have 2 steps at the same time; it takes 1/,
    ],
  ])('refuses a plan that does not hold by %s', async (_, changes, reason) => {
    const twice = { ...good, steps: [...good.steps, { ...good.steps[1], offer: numberOf('chart.draw_svg') }] }
    const planner = await against(createHybridStrategy, always('offers' in changes ? twice : good))
    expect(await planner({ ...input, ...changes })).not.toMatchObject({ mode: 'hybrid' })
    expect(double?.asked[1]?.messages.at(-1)?.content).toMatch(reason)
  })

  it('plans by rule where the model answers no JSON, or can not be reached', async () => {
    const planner = await against(createHybridStrategy, always('I would hire somebody.'))
    expect(await planner(input)).toMatchObject({ mode: 'deterministic', summary: expect.stringContaining('no usable plan') })
    await double?.[Symbol.asyncDispose]()
    expect(await planner(input)).toMatchObject({ mode: 'deterministic' })
  })
})

describe('the planner of a mode', () => {
  it('asks no model where the mode is deterministic, regardless of the settings', async () => {
    double = await startModelDouble(answerAsModel)
    const planners = await loadStrategies({ apiKey: 'set', baseURL: double.baseURL, model: 'm' })
    expect(await planners('deterministic')(input)).toMatchObject({ mode: 'deterministic' })
    expect(double.asked).toEqual([])
    for (const mode of ['model', 'hybrid'] as const) expect(await planners(mode)(input)).toMatchObject({ mode })
    expect(await planners('copilot')(input)).toMatchObject({ mode: 'hybrid' })
  })

  it('is the rule without a model, which says so where one was asked for', async () => {
    expect(selectWithoutModel('deterministic')).toBe(deterministicStrategy)
    expect(selectWithoutModel('copilot')).toBe(deterministicStrategy)
    for (const mode of ['model', 'hybrid'] as const) expect(selectWithoutModel(mode)).toBe(noModelStrategy)
    expect(await noModelStrategy(input)).toMatchObject({ mode: 'deterministic', summary: expect.stringContaining('none is set up') })
  })
})
