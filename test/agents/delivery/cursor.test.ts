import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorAt, finish, place } from '../../../agents/src/delivery/cursor.ts'

describe('cursor', () => {
  it('takes each number once, in order, and calls the rest seen or missing', () => {
    const cursor = cursorAt(4)
    expect([place(cursor, 3), place(cursor, 4), place(cursor, 5), place(cursor, 6)]).toEqual(['seen', 'seen', 'next', 'gap'])
  })

  it('acks up to the first that is unfinished, whatever the order of finishing', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.shuffledSubarray(Array.from({ length: 12 }, (_, index) => index + 1)), (start, order) => {
        const cursor = cursorAt(start)
        const finished = new Set<number>()
        for (const step of order) {
          finished.add(step)
          const before = cursor.done
          const moved = finish(cursor, start + step)
          let expected = 0
          while (finished.has(expected + 1)) expected++
          expect(cursor.done).toBe(start + expected)
          expect(moved).toBe(cursor.done > before)
          expect(finish(cursor, start + step)).toBe(false)
        }
        expect(cursor.ahead.size).toBe(finished.size - (cursor.done - start))
      }),
    )
  })
})
