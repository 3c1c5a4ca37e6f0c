import { describe, expect, it } from 'vitest'
import { explainNoAgentHasFigures } from '../../../../../agents/builtin/planner/intent/explain-no-agent-has-figures.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { builtinMarket, listing, skill } from '../../market.ts'

const offers = toSkillOffers(builtinMarket())
const why = (companies: string[], years?: { from?: number; to?: number }, from = offers) =>
  explainNoAgentHasFigures({ companies, metric: 'revenue', years }, from)

describe('explainNoAgentHasFigures', () => {
  it('names the company that no listing names, and those that there are', () => {
    expect(why(['Initech'])).toMatch(/^No agent online has figures of Initech\. There are figures of Microsoft/)
    expect(why(['Apple', 'Initech'])).toMatch(/figures of Initech\./)
    expect(why(['apple inc.'])).toBeUndefined()
  })
  it('names the years that there are', () => {
    expect(why(['Netflix'], { from: 2016, to: 2035 })).toMatch(/^The agents online have figures of 20\d\d to 20\d\d only\.$/)
    expect(why(['Apple'], { from: 1950 })).toBeDefined()
    expect(why(['Apple'], { from: 2015, to: 2020 })).toBeUndefined()
  })
  it('knows nothing against an agent that names neither', () => {
    const other = listing('all-figures', [skill('figures.any', ['query.figures'], ['table.series'], 1, { tags: ['figures'] })])
    expect(why(['Initech'], { from: 1950 }, toSkillOffers([...builtinMarket(), other]))).toBeUndefined()
    expect(why(['Initech'], undefined, [])).toBeUndefined()
  })
})
