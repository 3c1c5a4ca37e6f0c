import { describe, expect, it } from 'vitest'
import { createUnauthenticatedConnectionLimiter } from '../../../../server/hub/connection/unauthenticated-connection-limiter.ts'

describe('createUnproven', () => {
  it('gives a newcomer the place of the oldest of the source that has most', () => {
    const places = createUnauthenticatedConnectionLimiter({ maxTotal: 4, maxPerSource: 3 })
    const dropped: string[] = []
    const come = (source: string, name: string) => places.acquire(source, () => dropped.push(name))
    for (const name of ['a1', 'a2', 'a3']) come('10.0.0.1', name)
    come('10.0.0.2', 'b1')
    expect(places.hasCapacityFor('10.0.0.5')).toBe(true)
    come('10.0.0.5', 'new')
    expect(dropped).toEqual(['a1'])
    expect(places.size).toBe(4)
    expect(places.hasCapacityFor('10.0.0.1')).toBe(false)
  })

  it('refuses one more of the source that has most, and of one that has all it may', () => {
    const places = createUnauthenticatedConnectionLimiter({ maxTotal: 3, maxPerSource: 2 })
    const [first] = [places.acquire('10.0.0.1', () => undefined), places.acquire('10.0.0.1', () => undefined)]
    expect(places.hasCapacityFor('10.0.0.1')).toBe(false)
    places.acquire('10.0.0.2', () => undefined)
    expect(places.hasCapacityFor('10.0.0.2')).toBe(true)
    first()
    first()
    expect(places.size).toBe(2)
    expect(places.hasCapacityFor('10.0.0.1')).toBe(true)
  })

  it('counts IPv6 by /64, and all /64 of a /48 together', () => {
    const places = createUnauthenticatedConnectionLimiter({ maxTotal: 100, maxPerSource: 2 })
    const source = (net: string, part: number) => `2001:db8:${net}:${part}::/64`
    places.acquire(source('1', 1), () => undefined)
    places.acquire(source('1', 1), () => undefined)
    expect(places.hasCapacityFor(source('1', 1))).toBe(false)
    places.acquire(source('1', 2), () => undefined)
    places.acquire(source('1', 3), () => undefined)
    expect(places.hasCapacityFor(source('1', 4))).toBe(false)
    expect(places.hasCapacityFor(source('2', 1))).toBe(true)
  })

  it('keeps 4 addresses with 1,024 each from keeping a fifth out, for every place it asks for', () => {
    const places = createUnauthenticatedConnectionLimiter({ maxTotal: 4_096, maxPerSource: 1_024 })
    let dropped = 0
    for (let nth = 0; nth < 4_096; nth++) places.acquire(`10.0.0.${nth % 4}`, () => dropped++)
    for (let nth = 0; nth < 500; nth++) {
      expect(places.hasCapacityFor('10.0.1.1')).toBe(true)
      places.acquire('10.0.1.1', () => undefined)
    }
    expect([dropped, places.size]).toEqual([500, 4_096])
  })
})
