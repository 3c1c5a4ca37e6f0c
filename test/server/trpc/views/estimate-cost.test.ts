import type { Listing } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { estimateCost } from '../../../../server/trpc/views/estimate-cost.ts'

type Port = string | { type: string; optional: boolean }
const ports = (types: readonly Port[]) =>
  types.map((port, index) => ({
    name: `p${index}`,
    description: '',
    optional: false,
    ...(typeof port === 'string' ? { type: port } : port),
  }))

function listing(id: string, skills: readonly { id: string; in: readonly Port[]; out: readonly string[]; price: string }[]): Listing {
  const made = skills.map((one) => ({
    id: one.id,
    name: one.id,
    description: '',
    inputs: ports(one.in),
    outputs: ports(one.out),
    price: one.price,
    tags: [],
    samples: [],
  }))
  return { agent_id: id, name: id, skills: made } as unknown as Listing
}

const data = listing('data', [
  { id: 'figures.lookup', in: ['query.figures'], out: ['table.series'], price: '500000' },
  { id: 'figures.import', in: ['table.csv'], out: ['table.series'], price: '100000' },
])
const analyst = listing('analyst', [{ id: 'trend.analyse', in: ['table.series'], out: ['analysis.trend'], price: '1000000' }])
const writer = listing('writer', [
  {
    id: 'report.write',
    in: ['table.series', 'analysis.trend', { type: 'chart.text', optional: true }],
    out: ['report.markdown'],
    price: '2000000',
  },
])
const cheap = listing('cheap', [{ id: 'report.write', in: ['table.series', 'analysis.trend'], out: ['report.markdown'], price: '1500000' }])
const dear = listing('dear', [{ id: 'report.write', in: ['table.series', 'analysis.trend'], out: ['report.markdown'], price: '9000000' }])

describe('estimateCost', () => {
  it('works back from the wanted file to what is at hand, each skill once', () => {
    const estimate = estimateCost([data, analyst, writer], ['report.markdown', 'analysis.trend'], [])
    expect(estimate.lines.map((line) => line.skillId)).toEqual(['figures.lookup', 'trend.analyse', 'report.write'])
    expect(estimate).toMatchObject({ low: 3_500_000n, likely: 3_500_000n, high: 3_500_000n, missing: [] })
  })

  it('uses what the client attached before anything else', () => {
    const estimate = estimateCost([data, analyst, writer], ['report.markdown'], ['table.csv'])
    expect(estimate.lines.map((line) => line.skillId)).toEqual(['figures.import', 'trend.analyse', 'report.write'])
  })

  it('counts the planner’s own share, where there is work to plan', () => {
    const planner = listing('planner', [{ id: 'goal.plan', in: [], out: ['plan'], price: '1000000' }])
    expect(estimateCost([data, analyst, writer, planner], ['report.markdown'], []).likely).toBe(4_500_000n)
    expect(estimateCost([planner], ['report.markdown'], []).lines).toEqual([])
  })

  it('spans the prices of all who offer the skill, and is likely in the middle', () => {
    const line = estimateCost([data, analyst, writer, cheap, dear], ['report.markdown'], []).lines.at(-1)
    expect(line).toMatchObject({ low: 1_500_000n, likely: 2_000_000n, high: 9_000_000n })
    expect(line?.offers.map((offer) => offer.agentId)).toEqual(['cheap', 'writer', 'dear'])
  })

  it('counts who leads the goal, once', () => {
    const lead = listing('lead', [{ id: 'goal.plan', in: [], out: ['plan'], price: '1000000' }])
    const estimate = estimateCost([data, analyst, lead], ['analysis.trend'], [])
    expect(estimate.lines.map((line) => line.skillId)).toEqual(['figures.lookup', 'trend.analyse', 'goal.plan'])
    expect(estimate.likely).toBe(2_500_000n)
  })

  it('names what nobody offers, and charges nothing towards it', () => {
    expect(estimateCost([data, writer], ['report.markdown'], [])).toMatchObject({ lines: [], likely: 0n, missing: ['report.markdown'] })
    expect(estimateCost([], ['chart.svg'], [])).toMatchObject({ missing: ['chart.svg'] })
  })

  it('does not loop where two skills need each other', () => {
    const loop = listing('loop', [
      { id: 'a.b', in: ['y.y'], out: ['x.x'], price: '1' },
      { id: 'b.a', in: ['x.x'], out: ['y.y'], price: '1' },
    ])
    expect(estimateCost([loop], ['x.x'], []).missing).toEqual(['x.x'])
  })
})
