import { type Charter, charterFaults } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCharter } from '../../../../../agents/builtin/planner/charter/build-charter.ts'
import { replanCharter } from '../../../../../agents/builtin/planner/charter/replan-charter.ts'
import { searchPlan } from '../../../../../agents/builtin/planner/plan/plan.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { goalOffer, listing, skill } from '../../market.ts'
import { self } from '../../simulated-room.ts'

const offer = goalOffer()
const payable = BigInt(offer.payable)
const one = (name: string, from: string[], to: string[], price = 100_000) =>
  listing(name, [skill(`do.${name.replace('-', '_')}`, from, to, price)])
const givens = [{ type: 'raw.text', data: { text: 'x' } }]

function sealed(listings: ReturnType<typeof one>[], wanted: string[]): Charter {
  const offers = toSkillOffers(listings)
  const plan = searchPlan({ wants: wanted.map((type) => ({ type, needed: true })), givens, offers, payable: payable - self.price })
  if (!plan) throw new Error('no plan to begin with')
  return buildCharter(plan, offer, self, 1)
}
const handles = (charter: Charter | undefined) => charter?.steps.map((step) => step.skill_id.replace('do.', ''))

describe('replanCharter', () => {
  const direct = one('direct', ['raw.text'], ['made.thing'])
  const [first, second] = [one('first', ['raw.text'], ['half.thing']), one('second', ['half.thing'], ['made.thing'])]
  const reads = one('reads', ['raw.text'], ['read.text'])
  const ends = one('ends', ['made.thing', 'read.text'], ['end.thing'])

  it('goes by a chain of two where the one that made the thing is gone, and feeds what builds on it from there', () => {
    const charter = sealed([direct, reads, ends], ['end.thing'])
    const done = charter.steps.find((step) => step.skill_id === 'do.reads')?.step ?? 0
    const next = replanCharter({
      charter,
      kept: new Set([done]),
      wanted: [],
      givens: [],
      offers: toSkillOffers([first, second, reads, ends]),
      payable,
    })
    if (!next) throw new Error('no way was found')
    expect(charterFaults(next)).toEqual([])
    expect(next.version).toBe(2)
    expect(next.steps.find((step) => step.step === done)).toEqual(charter.steps.find((step) => step.step === done))
    expect(handles(next)?.toSorted()).toEqual(['ends', 'first', 'goal.plan', 'reads', 'second'])
    const maker = next.steps.find((step) => step.skill_id === 'do.second')?.step
    const end = next.steps.find((step) => step.skill_id === 'do.ends')
    expect(end?.inputs.map(({ type, step }) => [type, step])).toEqual([
      ['made.thing', maker],
      ['read.text', done],
    ])
    expect(next.steps.at(-1)?.depends_on).toEqual([1, 2, 3, 4])
  })

  it('keeps every type that was promised, or goes nowhere', () => {
    const picture = one('picture', ['raw.text'], ['picture.svg'])
    const charter = sealed([direct, picture], ['made.thing', 'picture.svg'])
    const rest = { charter, kept: new Set<number>(), wanted: [], givens: [], payable }
    expect(replanCharter({ ...rest, offers: toSkillOffers([first, second]) })).toBeUndefined()
    expect(handles(replanCharter({ ...rest, offers: toSkillOffers([first, second, picture]) }))).toHaveLength(4)
    expect(handles(replanCharter({ ...rest, wanted: ['made.thing'], offers: toSkillOffers([first, second, picture]) }))).toHaveLength(4)
  })

  it('spends no more than what is left beside that which stands', () => {
    const charter = sealed([direct, reads, ends], ['end.thing'])
    const done = charter.steps.find((step) => step.skill_id === 'do.reads')?.step ?? 0
    const dear = one('second', ['half.thing'], ['made.thing'], 8_500_000)
    const left = { charter, kept: new Set([done]), wanted: [], givens: [], payable }
    expect(replanCharter({ ...left, offers: toSkillOffers([first, dear, ends]) })).toBeUndefined()
    const within = payable - self.price - 300_000n
    expect(
      replanCharter({ ...left, offers: toSkillOffers([first, one('second', ['half.thing'], ['made.thing'], Number(within)), ends]) }),
    ).toBeDefined()
  })

  it('leaves the step that pays a sub-team where it is, or goes nowhere', () => {
    const charter = sealed([direct, ends, reads], ['end.thing'])
    const [paying] = charter.steps
    if (!paying) throw new Error('no step')
    const nested = {
      ...paying,
      step: charter.steps.length + 1,
      parent: paying.step,
      room_id: `rom_${'0'.repeat(32)}` as const,
      depends_on: [],
      amount: '0',
    }
    const rest = {
      charter: { ...charter, steps: [...charter.steps, nested] },
      wanted: [],
      givens: [],
      offers: toSkillOffers([first, second, reads, ends]),
      payable,
    }
    expect(replanCharter({ ...rest, kept: new Set() })).toBeUndefined()
  })

  it('makes a charter that holds, of any market and any state, or none', () => {
    const types = ['raw.text', 'a.a', 'b.b', 'c.c', 'd.d', 'e.e', 'f.f']
    const typed = fc.tuple(fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }), fc.integer({ min: 1, max: 6 }))
    const market = fc.array(typed, { minLength: 4, maxLength: 14 })
    let found = 0
    fc.assert(
      fc.property(market, fc.nat(), fc.nat(), (drawn, gone, standing) => {
        const listings = drawn
          .map(([from, to], index) =>
            one(
              `agent${index}`,
              from.filter((type) => type < to).map((type) => types[type] ?? ''),
              [types[to] ?? ''],
            ),
          )
          .filter((each) => (each.skills[0]?.inputs.length ?? 0) > 0)
        const plan = searchPlan({
          wants: [{ type: 'f.f', needed: true }],
          givens,
          offers: toSkillOffers(listings),
          payable: payable - self.price,
        })
        if (!plan) return
        const charter = buildCharter(plan, offer, self, 1)
        const lost = charter.steps[gone % plan.steps.length]
        // What stands has what it needs: a set that is closed downwards.
        const kept = new Set<number>()
        for (const step of charter.steps.slice(0, -1))
          if (step !== lost && ((standing >> step.step) & 1) === 1 && step.depends_on.every((needed) => kept.has(needed)))
            kept.add(step.step)
        const offers = toSkillOffers(listings, new Set([lost?.sender_id ?? '']))
        const next = replanCharter({ charter, kept, wanted: ['f.f'], givens: [], offers, payable })
        if (!next) return
        found++
        expect(charterFaults(next)).toEqual([])
        expect(next.steps.some((step) => step.outputs.includes('f.f'))).toBe(true)
        expect(next.steps.some((step) => step.sender_id === lost?.sender_id && !kept.has(step.step))).toBe(false)
        for (const step of kept) expect(next.steps[step - 1]).toEqual(charter.steps[step - 1])
        for (const step of next.steps)
          for (const input of step.inputs) if (input.step !== undefined) expect(next.steps[input.step - 1]?.outputs).toContain(input.type)
      }),
      { numRuns: 120, seed: 7 },
    )
    expect(found).toBeGreaterThan(5)
  })
})
