import { describe, expect, it } from 'vitest'
import {
  rankGateways,
  recordGatewayOutcome,
  type StatsByGateway,
} from '../../../../../agents/builtin/resource-gateway/discovery/rank-gateways.ts'

describe('rankGateways', () => {
  it('asks the unasked first, then by yield, and comes back to who was asked little', () => {
    let yields: StatsByGateway = new Map()
    expect(rankGateways(['a', 'b'], yields, 0)).toEqual(['a', 'b'])
    yields = recordGatewayOutcome(yields, 'a', 'useless', 0)
    expect(rankGateways(['a', 'b'], yields, 0)).toEqual(['b', 'a'])
    yields = recordGatewayOutcome(yields, 'b', 'useful', 0)
    expect(rankGateways(['a', 'b'], yields, 0)).toEqual(['b', 'a'])
    for (let n = 0; n < 40; n++) yields = recordGatewayOutcome(yields, 'b', n % 3 === 0 ? 'useful' : 'useless', 0)
    expect(rankGateways(['a', 'b'], yields, 0)).toEqual(['a', 'b'])
  })

  it('leaves out who is gone, longer and longer, and no longer than five minutes', () => {
    const gone = (times: number) =>
      Array.from({ length: times }).reduce<StatsByGateway>((yields) => recordGatewayOutcome(yields, 'a', 'gone', 0), new Map())
    expect(rankGateways(['a', 'b'], gone(1), 999)).toEqual(['b'])
    expect(rankGateways(['a', 'b'], gone(1), 1_000)).toContain('a')
    expect(rankGateways(['a'], gone(3), 3_999)).toEqual([])
    expect(rankGateways(['a'], gone(30), 300_000)).toEqual(['a'])
    expect(recordGatewayOutcome(gone(3), 'a', 'useful', 0).get('a')).toMatchObject({ failures: 0, until: 0 })
  })

  it('finds the better of two in the long run, and never stops looking at the other', () => {
    let yields: StatsByGateway = new Map()
    for (let n = 0; n < 400; n++) {
      const [first = ''] = rankGateways(['poor', 'good'], yields, 0)
      yields = recordGatewayOutcome(yields, first, n % 10 < (first === 'good' ? 8 : 2) ? 'useful' : 'useless', 0)
    }
    const [good, poor] = ['good', 'poor'].map((one) => yields.get(one)?.asked ?? 0) as [number, number]
    expect(good).toBeGreaterThan(4 * poor)
    expect(poor).toBeGreaterThan(10)
  })
})
