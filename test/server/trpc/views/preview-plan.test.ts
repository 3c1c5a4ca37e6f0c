import type { Listing } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateCost } from '../../../../server/trpc/views/estimate-cost.ts'
import { criticalPath, previewPlan } from '../../../../server/trpc/views/preview-plan.ts'
import { builtinMarket } from '../../../agents/builtin/market.ts'

const listings = builtinMarket() as Listing[]
const wanted = ['report.markdown', 'chart.text', 'review.verdict']
const preview = (times: Parameters<typeof previewPlan>[2] = []) => previewPlan(estimateCost(listings, wanted, []), listings, times)
const timed = (skillId: string, seconds: number) => {
  const agentId = listings.find((listing) => listing.skills.some((skill) => skill.id === skillId))?.agent_id ?? ''
  return { agentId, skillId, n: 3, seconds }
}

describe('previewPlan', () => {
  it('says who waits for whom, which run side by side, and puts the planner last', () => {
    const { steps } = preview()
    const of = (skillId: string) => steps.find((step) => step.skillId === skillId)
    const numbers = (...skills: string[]) => skills.map((skill) => of(skill)?.step).sort()
    expect([...(of('report.write')?.after ?? [])].sort()).toEqual(numbers('figures.lookup', 'trend.analyse'))
    expect([of('chart.draw_text')?.isBeside, of('trend.analyse')?.isBeside, of('figures.lookup')?.isBeside]).toEqual([true, true, false])
    expect(of('goal.plan')).toMatchObject({ step: steps.length, after: steps.slice(0, -1).map((step) => step.step) })
  })

  it('adds up what was measured along the longest way, and names what was not', () => {
    const measured = preview([timed('figures.lookup', 2), timed('trend.analyse', 3), timed('chart.draw_text', 1)])
    expect(measured.seconds).toBe(5)
    expect(measured.steps.find((step) => step.skillId === 'chart.draw_text')?.isCritical).toBe(false)
    const names = measured.unmeasured.map((step) => measured.steps[step - 1]?.skillId)
    expect(names).toEqual(expect.arrayContaining(['report.write', 'goal.plan']))
    expect(preview()).toMatchObject({ seconds: null })
  })

  it('counts no measurement of an agent that does not offer the skill now', () => {
    expect(preview([{ agentId: 'agt_elsewhere', skillId: 'figures.lookup', n: 9, seconds: 99 }]).seconds).toBeNull()
  })
})

describe('criticalPath', () => {
  const graphs = fc
    .array(fc.record({ row: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), s: fc.integer({ min: 1, max: 50 }) }), {
      minLength: 1,
      maxLength: 8,
    })
    .map((all) => ({
      after: all.map(({ row }, index) => row.slice(0, index).flatMap((on, at) => (on ? [at + 1] : []))),
      seconds: all.map(({ s }) => s),
    }))

  it('is a way through the graph, and none is longer', () => {
    fc.assert(
      fc.property(graphs, ({ after, seconds }) => {
        const path = criticalPath(after, seconds)
        for (const [at, step] of path.entries()) if (at > 0) expect(after[step - 1]).toContain(path[at - 1])
        const lengthTo = (step: number): number => (seconds[step - 1] ?? 0) + Math.max(0, ...(after[step - 1] ?? []).map(lengthTo))
        const length = path.reduce((sum, step) => sum + (seconds[step - 1] ?? 0), 0)
        expect(length).toBe(Math.max(...after.map((_, index) => lengthTo(index + 1))))
      }),
    )
  })
})
