import { describe, expect, it } from 'vitest'
import { keepEqualData } from '../../../app/_trpc/keep-equal-data.ts'

const goal = () => ({ id: 'g', budget: 5n, at: new Date(1_000), steps: [{ n: 1 }, { n: 2 }], none: null as null | string })

describe('fetched data', () => {
  it('is the former object where nothing has changed, with dates and big integers', () => {
    const former = goal()
    expect(keepEqualData(former, goal())).toBe(former)
  })

  it('keeps the parts that have not changed', () => {
    const former = goal()
    const fetched = { ...goal(), steps: [{ n: 1 }, { n: 3 }, { n: 4 }] }
    const kept = keepEqualData(former, fetched) as typeof former
    expect(kept).toEqual(fetched)
    expect(kept.steps[0]).toBe(former.steps[0])
    expect(kept.at).toBe(former.at)
  })

  it.each([
    ['another date', { ...goal(), at: new Date(2_000) }],
    ['another amount', { ...goal(), budget: 6n }],
    ['a shorter list', { ...goal(), steps: [{ n: 1 }] }],
    ['a new field', { ...goal(), extra: 1 }],
    ['a value in place of null', { ...goal(), none: 'text' }],
  ])('is new with %s', (_, fetched) => {
    expect(keepEqualData(goal(), fetched)).toEqual(fetched)
  })

  it('is new without a field that was there', () => {
    const { none: _none, ...fetched } = goal()
    expect(keepEqualData(goal(), fetched)).toEqual(fetched)
    expect(keepEqualData({ a: undefined, b: 1 }, { b: 1, c: undefined })).toStrictEqual({ b: 1, c: undefined })
  })

  it('is new where an object stands in place of a list, or an instance in place of a record', () => {
    expect(keepEqualData({ 0: 'a' }, ['a'])).toEqual(['a'])
    const bytes = new Uint8Array([1])
    expect(keepEqualData({ bytes: new Uint8Array([1]) }, { bytes })).toEqual({ bytes })
  })
})
