import { describe, expect, it } from 'vitest'
import { takeBytes } from '../../../../../server/hub/protocols/goals/market-tools.ts'

describe('takeBytes', () => {
  it('takes the first items that fit, and none after one that does not', () => {
    const items = ['a'.repeat(8), 'b'.repeat(8), 'c'.repeat(40), 'd']
    expect(takeBytes(items, 20)).toEqual(items.slice(0, 2))
    expect(takeBytes(items, 1_000)).toEqual(items)
    expect(takeBytes(items, 0)).toEqual([])
  })

  it('counts bytes, not characters', () => {
    expect(takeBytes(['\u6f22\u6f22', 'x'], 8)).toEqual(['\u6f22\u6f22'])
    expect(takeBytes(['\u6f22\u6f22', 'x'], 7)).toEqual([])
  })
})
