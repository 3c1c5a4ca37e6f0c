import { describe, expect, it } from 'vitest'
import { isVoid } from '../../chaos/settlement/run-figures.ts'

// The run itself is a command, `npm run chaos:settlement -- --short`: on a busy machine it takes longer than a test may.

describe('isVoid', () => {
  it('is a run in which a kind of fault never happened, or nobody died at a place', () => {
    expect(isVoid({ missedKinds: [], missedPoints: [] })).toBe(false)
    expect(isVoid({ missedKinds: ['stuck_nonce'], missedPoints: [] })).toBe(true)
    expect(isVoid({ missedKinds: [], missedPoints: ['prepared'] })).toBe(true)
  })
})
