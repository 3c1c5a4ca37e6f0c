import { describe, expect, it } from 'vitest'
import { decodeRouteParam } from '../../../server/trpc/decode-route-param.ts'

describe('decodeUrlPart', () => {
  it.each([
    ['writer%40market.example', 'writer@market.example'],
    ['writer@market.example', 'writer@market.example'],
    ['About 50% more %zz of it %', 'About 50% more %zz of it %'],
    ['%E0%A4%A', '%E0%A4%A'],
    ['%2e%2e%2f%00', '%2e%2e%2f%00'],
  ])('reads %j as %j', (part, text) => {
    expect(decodeRouteParam(part)).toBe(text)
  })
})
