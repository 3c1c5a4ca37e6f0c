import { describe, expect, it } from 'vitest'
import { editDistance } from '../../../../server/search/text/edit-distance.ts'
import { numbers } from '../sample-listings.ts'

/** The same distance by its definition. */
function slowDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const row = rows[i] as number[]
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same, isSwapped ? at(i - 2, j - 2) + 1 : 99)
    }
  return at(a.length, b.length)
}

describe('editDistance', () => {
  it.each([
    ['translat', 'tranlat', 1],
    ['languag', 'langaug', 1],
    ['microsoft', 'micorsoft', 1],
    ['same', 'same', 0],
    ['abc', 'xyz', 3],
  ])('%s and %s: %d', (a, b, distance) => {
    expect(editDistance(a, b, 2)).toBe(Math.min(distance, 3))
  })

  it('is the distance by definition, up to the maximum', () => {
    const below = numbers(7)
    const word = () => Array.from({ length: 1 + below(9) }, () => 'abc'[below(3)]).join('')
    for (let i = 0; i < 5_000; i++) {
      const [a, b, max] = [word(), word(), below(4)]
      expect(editDistance(a, b, max), `${a} ${b} ${max}`).toBe(Math.min(slowDistance(a, b), max + 1))
    }
  })
})
