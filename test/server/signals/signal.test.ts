import { describe, expect, it } from 'vitest'
import { mergeSignals, parseSignal } from '../../../server/signals/signal.ts'

describe('mergeSignals', () => {
  const at = { topic: 'room', id: 'g' } as const
  it.each([
    [
      { ...at, seq: 2 },
      { ...at, seq: 5 },
      { ...at, seq: 5 },
    ],
    [
      { ...at, seq: 5 },
      { ...at, seq: 2 },
      { ...at, seq: 5 },
    ],
    [{ ...at, seq: 5 }, at, at],
    [
      { ...at, seq: 1, from: 'a' },
      { ...at, seq: 2, from: 'a' },
      { ...at, seq: 2, from: 'a' },
    ],
    [
      { ...at, seq: 1, from: 'a' },
      { ...at, seq: 2, from: 'b' },
      { ...at, seq: 2 },
    ],
    [
      { ...at, seq: 1, from: 'a' },
      { ...at, seq: 2 },
      { ...at, seq: 2 },
    ],
  ])('states what both say: %o and %o', (a, b, both) => {
    expect(mergeSignals(a, b)).toEqual(both)
  })
})

describe('parseSignal', () => {
  it.each([null, 1, 'text', [], {}, { topic: 1, id: 'x' }, { topic: 'goal' }])('takes %o for no signal', (value) => {
    expect(parseSignal(value)).toBeNull()
  })

  it('leaves out what a signal does not have', () => {
    expect(parseSignal({ topic: 'room', id: 'g', seq: 'many', from: 'a', more: 1 })).toEqual({ topic: 'room', id: 'g', from: 'a' })
  })
})
