import { describe, expect, it } from 'vitest'
import { medianOf } from './measure-costs.ts'
import { missedTargets } from './targets.ts'

describe('missedTargets', () => {
  it('names what falls short on either side, and nothing that was met or not run', () => {
    const figures = {
      relay_1k: { in_per_s: 1 },
      session_1k: { in_per_s: 25_000, deliveries_per_s: 199_999 },
      latency_at_2000: { p50_ms: 1, p99_ms: 5.1 },
      long_room_ratio: 0.89,
    }
    expect(missedTargets(figures)).toEqual([
      'session_1k.deliveries_per_s 199999 (target 200000)',
      'latency_at_2000.p99_ms 5.1 (target 5)',
      'long_room_ratio 0.89 (target 0.9)',
    ])
    expect(missedTargets({})).toEqual([])
  })
})

it('finds the middle of counts in buckets', () => {
  const buckets = [
    [1, 0],
    [2, 40],
    [4, 80],
    [8, 100],
  ] as const
  expect(medianOf(buckets, 100)).toBe(2.5)
  expect(medianOf(buckets, 300)).toBe(8)
})
