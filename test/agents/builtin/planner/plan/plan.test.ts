import type { Listing } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findPlanErrors, type PlanningProblem, searchPlan } from '../../../../../agents/builtin/planner/plan/plan.ts'
import { priceOf, toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { planBySearch } from '../../../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { builtinListing, builtinMarket, guideText, listing, skill } from '../../market.ts'

const lots = 10n ** 12n
const task = (listings: Listing[], wanted: string[], given: string[], payable = lots): PlanningProblem => ({
  wants: wanted.map((type) => ({ type, needed: true })),
  givens: given.map((type) => ({ type, data: {} })),
  offers: toSkillOffers(listings),
  payable,
})
const hired = (listings: Listing[], payable = lots) => {
  const goal = { text: guideText, criteria: ['Covers every year from 2014 to 2020'], attachments: [], answers: [] }
  const planned = planBySearch({ goal, offers: toSkillOffers(listings), payable, decimals: 6, msLeft: 3_600_000, refusals: [] })
  return 'plan' in planned ? planned.plan : planned
}
const score = (value: number, n = 10) => ({ n, mean: value, score: value, paid_steps: n, payers: n, failed_steps: 0 })
const drawText = (price: number) => [skill('chart.draw_text', ['table.series'], ['chart.text'], price)]

describe('searchPlan', () => {
  it('plans the goal of the guide as a graph with a parallel pair and a join', () => {
    const plan = hired(builtinMarket())
    if (!('steps' in plan)) throw new Error('no plan')
    const byOutput = (type: string) => plan.steps.find((step) => step.outputs.includes(type))
    expect(plan.steps.map((step) => step.mode)).toEqual(['sync', 'async', 'async', 'sync', 'sync'])
    expect(byOutput('report.markdown')?.inputs.map((input) => input.type)).toEqual(['table.series', 'analysis.trend', 'chart.text'])
    expect(byOutput('review.verdict')?.depends_on).toEqual([1, 2, 3, 4])
    expect(plan.critical_path).toEqual([1, 2, 4, 5])
    expect(plan.price).toBe(2_700_000n)
  })

  it('chooses a cheaper agent as soon as it is published, and not while it is offline', () => {
    const cheap = (presence: Listing['presence']) => listing('thin-pencil', drawText(100_000), { presence })
    const artist = (listings: Listing[]) => {
      const plan = hired(listings)
      return 'steps' in plan ? plan.steps.find((step) => step.outputs.includes('chart.text'))?.offer.handle : undefined
    }
    expect(artist(builtinMarket())).toBe('house-plotter')
    expect(artist([...builtinMarket(), cheap('online')])).toBe('thin-pencil')
    expect(artist([...builtinMarket(), cheap('offline')])).toBe('house-plotter')
  })

  it('pays a little more for a better judged agent, and counts no score without a judgement', () => {
    const choose = (a: Listing, b: Listing) => searchPlan(task([a, b], ['chart.text'], ['table.series']))?.steps[0]?.offer.handle
    const plain = listing('plain', drawText(100_000))
    expect(choose(plain, listing('better', drawText(110_000), { score: score(97) }))).toBe('better')
    expect(choose(plain, listing('better', drawText(200_000), { score: score(97) }))).toBe('plain')
    expect(choose(plain, listing('worse', drawText(95_000), { score: score(30) }))).toBe('plain')
    expect(choose(plain, listing('unjudged', drawText(100_001), { score: { ...score(99), n: 0 } }))).toBe('plain')
    expect(choose(plain, listing('flaky', drawText(90_000), { score: { ...score(70), failed_steps: 40 } }))).toBe('plain')
  })

  it('finds the cheap way round where the straight way is dear, and the dear one where only that fits', () => {
    const market = [
      listing('direct', [skill('a.to_c', ['a'], ['c'], 900)]),
      listing('first', [skill('a.to_b', ['a'], ['b'], 300)]),
      listing('second', [skill('b.to_c', ['b'], ['c'], 300)]),
    ]
    expect(searchPlan(task(market, ['c'], ['a']))?.steps.map((step) => step.offer.handle)).toEqual(['first', 'second'])
    expect(searchPlan(task(market, ['c'], ['a'], 599n))).toBeUndefined()
  })

  it('hires an agent once for all that it makes', () => {
    const market = [
      listing('both', [skill('x.both', ['a'], ['b', 'c'], 500)]),
      listing('only-b', [skill('x.b', ['a'], ['b'], 400)]),
      listing('only-c', [skill('x.c', ['a'], ['c'], 400)]),
    ]
    expect(searchPlan(task(market, ['b', 'c'], ['a']))?.steps).toHaveLength(1)
  })

  it('makes no circle of agents that feed one another', () => {
    const market = [listing('one', [skill('b.to_c', ['b'], ['c'], 1)]), listing('two', [skill('c.to_b', ['c'], ['b'], 1)])]
    expect(searchPlan(task(market, ['c'], ['a']))).toBeUndefined()
    const grounded = [...market, listing('three', [skill('a.to_b', ['a'], ['b'], 900)])]
    expect(searchPlan(task(grounded, ['c'], ['a']))?.steps.map((step) => step.offer.handle)).toEqual(['three', 'one'])
  })

  it('goes without the review before it goes over the budget', () => {
    const plan = hired(builtinMarket(), 2_300_000n)
    expect(plan).toMatchObject({ left_out: ['review.verdict'], price: 2_200_000n })
    expect(hired(builtinMarket(), 2_000_000n)).toMatchObject({ reason: expect.stringMatching(/costs 2\.20.*2\.00 of the budget/) })
  })

  it('states what no one makes', () => {
    expect(hired(builtinMarket().filter((one) => one.handle !== 'house-writer'))).toMatchObject({
      reason: expect.stringMatching(/can make a report/),
      later: true,
    })
  })

  it('gives the same plan regardless of the order of the market', () => {
    const twins = [...builtinMarket(), listing('twin', builtinListing('plotter').skills)]
    fc.assert(
      fc.property(fc.shuffledSubarray(twins, { minLength: twins.length }), (shuffled) => {
        expect(hired(shuffled)).toEqual(hired(twins))
      }),
      { numRuns: 25 },
    )
  })

  it('never exceeds the budget, uses typed edges only, and never hires who is offline', () => {
    const type = fc.constantFrom('a', 'b', 'c', 'd', 'e')
    const types = (min: number) => fc.uniqueArray(type, { minLength: min, maxLength: 2 })
    const agent = fc.record({
      inputs: types(0),
      outputs: types(1),
      price: fc.integer({ min: 0, max: 50 }),
      presence: fc.constantFrom('online', 'idle', 'offline'),
      value: fc.integer({ min: 0, max: 100 }),
    })
    fc.assert(
      fc.property(fc.array(agent, { maxLength: 9 }), types(1), fc.integer({ min: 0, max: 120 }), (agents, wanted, payable) => {
        const market = agents.map(({ inputs, outputs, price, presence, value }, index) =>
          listing(`agent-${index}`, [skill(`s.n${index}`, inputs, outputs, price)], {
            presence: presence as Listing['presence'],
            score: score(value),
          }),
        )
        const asked = task(market, wanted, ['a'], BigInt(payable))
        const plan = searchPlan(asked)
        if (!plan) return
        expect(findPlanErrors(plan, asked)).toEqual([])
        expect(plan.steps.reduce((sum, step) => sum + priceOf(step.offer), 0n)).toBeLessThanOrEqual(BigInt(payable))
        for (const step of plan.steps) expect(market.find((one) => one.handle === step.offer.handle)?.presence).not.toBe('offline')
      }),
      { numRuns: 300 },
    )
  })
})

describe('findPlanErrors', () => {
  it('names what is wrong with a plan that another planner made', () => {
    const asked = task([listing('one', [skill('a.to_b', ['a'], ['b'], 5)])], ['b'], ['a'], 5n)
    const plan = searchPlan(asked)
    const [step] = plan?.steps ?? []
    if (!plan || !step) throw new Error('no plan')
    expect(findPlanErrors({ ...plan, steps: [{ ...step, inputs: [] }] }, asked)).toContain('Step 1 lacks its input p0.')
    expect(findPlanErrors({ ...plan, steps: [{ ...step, inputs: [{ port: 'p0', type: 'a', step: 1 }] }] }, asked).join(' ')).toMatch(
      /doesn't make it before/,
    )
    expect(findPlanErrors({ ...plan, steps: [{ ...step, offer: { ...step.offer, agent_id: 'other' } }] }, asked).join(' ')).toMatch(
      /not on offer/,
    )
    expect(findPlanErrors(plan, { ...asked, payable: 4n }).join(' ')).toMatch(/cost 5 and 4 may be spent/)
    expect(findPlanErrors(plan, { ...asked, wants: [{ type: 'z', needed: true }] })).toContain('Nothing makes z.')
  })
})
