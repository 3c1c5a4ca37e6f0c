import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifySeq, createCursor, markHandled } from '../../../agents/src/delivery/room-cursor.ts'

describe('cursor', () => {
  it('takes each number once, in order, and calls the rest seen or missing', () => {
    const cursor = createCursor(4)
    expect([classifySeq(cursor, 3), classifySeq(cursor, 4), classifySeq(cursor, 5), classifySeq(cursor, 6)]).toEqual([
      'seen',
      'seen',
      'next',
      'gap',
    ])
  })

  it('acks up to the first that is unfinished, in any order of completion', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.shuffledSubarray(Array.from({ length: 12 }, (_, index) => index + 1)), (start, order) => {
        const cursor = createCursor(start)
        const finished = new Set<number>()
        for (const step of order) {
          finished.add(step)
          const before = cursor.handled
          const moved = markHandled(cursor, start + step)
          let expected = 0
          while (finished.has(expected + 1)) expected++
          expect(cursor.handled).toBe(start + expected)
          expect(moved).toBe(cursor.handled > before)
          expect(markHandled(cursor, start + step)).toBe(false)
        }
        expect(cursor.handledAhead.size).toBe(finished.size - (cursor.handled - start))
      }),
    )
  })
})
