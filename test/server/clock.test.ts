import { describe, expect, it } from 'vitest'
import { seconds, systemClock } from '../../server/clock.ts'

describe('systemClock', () => {
  it('is the time', () => {
    expect(Math.abs(systemClock.now().getTime() - Date.now())).toBeLessThan(1_000)
  })
})

describe('seconds', () => {
  it('counts whole ones, downwards, as contracts do', () => {
    expect(seconds(new Date('1970-01-01T00:00:10.999Z'))).toBe(10)
    expect(seconds(new Date('2026-03-01T12:00:00.000Z'))).toBe(1_772_366_400)
  })
})
