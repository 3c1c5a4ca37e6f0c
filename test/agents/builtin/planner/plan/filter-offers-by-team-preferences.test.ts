import { TeamPreferences } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { smallTeams } from '../../../../../agents/builtin/planner/plan/filter-offers-by-team-preferences.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { planBySearch } from '../../../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { builtinListing, builtinMarket, guideText, listing } from '../../market.ts'

const rival = listing(
  'rival-writer',
  builtinListing('writer').skills.map((one) => ({ ...one, price: String(BigInt(one.price) * 3n) })),
)
const market = [...builtinMarket(), rival]
const idOf = (handle: string) => market.find((one) => one.handle === handle)?.agent_id
const plan = (wanted?: object) =>
  planBySearch({
    goal: { text: guideText, criteria: [], attachments: [], answers: [] },
    offers: toSkillOffers(market),
    payable: 10n ** 12n,
    decimals: 6,
    msLeft: 10 ** 9,
    refusals: [],
    ...(wanted && { team: TeamPreferences.parse(wanted) }),
  })
const writerOf = (planned: ReturnType<typeof plan>) =>
  'plan' in planned ? planned.plan.steps.find((one) => one.outputs.includes('report.markdown'))?.offer.handle : planned

describe('planBySearch with preferences', () => {
  it('takes the preferred or required agent, though another is cheaper', () => {
    expect(writerOf(plan())).toBe('house-writer')
    expect(writerOf(plan({ prefer: [idOf('rival-writer')] }))).toBe('rival-writer')
    expect(writerOf(plan({ require: [idOf('rival-writer')] }))).toBe('rival-writer')
  })
  it('leaves excluded agents out', () => {
    expect(writerOf(plan({ exclude: [idOf('house-writer')] }))).toBe('rival-writer')
    expect(plan({ exclude: [idOf('house-writer'), idOf('rival-writer')] })).toMatchObject({
      reason: expect.stringContaining('can make a report'),
    })
  })
  it('gives the reason where a required agent has nothing to do, or the team is too small', () => {
    expect(plan({ require: [idOf('house-web')] })).toMatchObject({
      reason: expect.stringMatching(/choice of agents: The client requires the agent/),
    })
    const small = plan({ max_agents: 1 })
    expect('reason' in small && small.reason).toMatch(/allows 1|No agent online can make|choice of agents/)
    expect('plan' in plan({ max_agents: 6 })).toBe(true)
  })
  it('searches a bounded number of teams', () => {
    const offers = Array.from({ length: 40 }, (_, i) => listing(`agent-${i}`, builtinListing('writer').skills)).flatMap((one) =>
      toSkillOffers([one]),
    )
    expect(smallTeams(offers, 4)).toHaveLength(70)
  })
})
