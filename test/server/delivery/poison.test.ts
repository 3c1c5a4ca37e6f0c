import { describe, expect, it } from 'vitest'
import { missingOf } from '../../../server/delivery/poison.ts'

describe('numbers of which nothing is there', () => {
  it('are those between, and those up to the end', () => {
    expect(missingOf([{ seq: 3 }, { seq: 5 }], 1, 7)).toEqual([2, 4, 6, 7])
    expect(missingOf([], 4, 4)).toEqual([])
  })

  it.each([2 ** 53, 2 ** 63, Number.POSITIVE_INFINITY])('are none where a log is read from behind its end, at %d', (after) => {
    expect(missingOf([], after, after)).toEqual([])
  })
})
