import { describe, expect, it } from 'vitest'
import { takeFirstWithinBytes } from '../../../../../server/hub/protocols/goals/market-tools.ts'

describe('takeFirstWithinBytes', () => {
  it('takes the first items that fit, and none after one that does not', () => {
    const items = ['a'.repeat(8), 'b'.repeat(8), 'c'.repeat(40), 'd']
    expect(takeFirstWithinBytes(items, 20)).toEqual(items.slice(0, 2))
    expect(takeFirstWithinBytes(items, 1_000)).toEqual(items)
    expect(takeFirstWithinBytes(items, 0)).toEqual([])
  })

  it('counts bytes, not characters', () => {
    expect(takeFirstWithinBytes(['\u6f22\u6f22', 'x'], 8)).toEqual(['\u6f22\u6f22'])
    expect(takeFirstWithinBytes(['\u6f22\u6f22', 'x'], 7)).toEqual([])
  })
})
