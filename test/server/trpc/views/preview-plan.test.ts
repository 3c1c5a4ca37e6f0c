import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { criticalPath, previewPlan } from '../../../../server/trpc/views/preview-plan.ts'

const quoted = (step: number, skillId: string, after: number[]) => ({
  ...{ step, skillId, after, name: skillId, price: 100_000n, outputs: [] },
  ...{ agentId: `agt_${skillId}`, agentName: skillId, handle: skillId, inputs: null, payee: '0x', royalties: [] },
})
const steps = [
  quoted(1, 'figures.lookup', []),
  quoted(2, 'chart.draw_text', [1]),
  quoted(3, 'trend.analyse', [1]),
  quoted(4, 'report.write', [1, 3]),
  quoted(5, 'goal.plan', [1, 2, 3, 4]),
]
const timed = (skillId: string, seconds: number) => ({ agentId: `agt_${skillId}`, skillId, n: 3, seconds })

describe('previewPlan', () => {
  it('states which steps run in parallel', () => {
    const { steps: preview } = previewPlan(steps, [])
    expect(preview.map(({ isBeside }) => isBeside)).toEqual([false, true, true, true, false])
  })

  it('adds up what was measured along the longest way, and names what was not', () => {
    const measured = previewPlan(steps, [timed('figures.lookup', 2), timed('trend.analyse', 3), timed('chart.draw_text', 1)])
    expect(measured.seconds).toBe(5)
    expect(measured.steps.find((step) => step.skillId === 'chart.draw_text')?.isCritical).toBe(false)
    const names = measured.unmeasured.map((step) => measured.steps[step - 1]?.skillId)
    expect(names).toEqual(['report.write', 'goal.plan'])
    expect(previewPlan(steps, [])).toMatchObject({ seconds: null })
  })

  it('counts the measurements of the quoted agent only', () => {
    const other = { agentId: 'agt_elsewhere', skillId: 'figures.lookup', n: 9, seconds: 99 }
    expect(previewPlan(steps, [other]).seconds).toBeNull()
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
