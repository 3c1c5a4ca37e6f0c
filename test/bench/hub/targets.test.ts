import { describe, expect, it } from 'vitest'
import { medianOf } from '../../../bench/hub/measure-costs.ts'
import { medianBy, missedTargets } from '../../../bench/hub/targets.ts'

describe('missedTargets', () => {
  it('names what falls short on either side, and nothing that was met or not run', () => {
    const figures = {
      relay_1k: { in_per_s: 1 },
      session_1k: { in_per_s: 25_000, of_reference: 0.39 },
      session_7600: { of_reference: 0.7 },
      latency_at_2000: { p50_ms: 9, p50_by_reference: 1.35, p99_by_reference: 2.1 },
      long_room_ratio: 0.89,
    }
    expect(missedTargets(figures)).toEqual([
      'session_1k.of_reference 0.39 (target 0.4)',
      'latency_at_2000.p99_by_reference 2.1 (target 2)',
      'long_room_ratio 0.89 (target 0.9)',
    ])
    expect(missedTargets({})).toEqual([])
  })
})

it('takes the one in the middle', () => {
  expect(medianBy([3, 1, 2], (one) => one)).toBe(2)
  expect(medianBy([4, 1, 3, 2], (one) => one)).toBe(2)
  expect(() => medianBy([], Number)).toThrow('nothing')
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
