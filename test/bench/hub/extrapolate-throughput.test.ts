import { describe, expect, it } from 'vitest'
import { extrapolateThroughput } from '../../../bench/hub/extrapolate-throughput.ts'

describe('extrapolateThroughput', () => {
  it('doubles what costs the same, and takes off what a second hub costs the first', () => {
    expect(extrapolateThroughput({ hub: 50, postgres: 20 }, { hub: 50, postgres: 20 })).toEqual({
      gain: 2,
      two_hubs_per_s: 40_000,
      postgres_cores: 0.8,
      postgres_core_per_s: 50_000,
    })
    expect(extrapolateThroughput({ hub: 50, postgres: 20 }, { hub: 100, postgres: 40 }).gain).toBe(1)
    expect(extrapolateThroughput({ hub: 50, postgres: 20 }, { hub: 62.5, postgres: 25 }).gain).toBe(1.6)
  })
})
