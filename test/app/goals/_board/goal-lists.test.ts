import { describe, expect, it } from 'vitest'
import { readGoalListQuery } from '../../../../app/goals/_board/goal-lists.ts'

describe('readGoalListQuery', () => {
  it('reads a list, words and a place in it', () => {
    const after = `gol_${'a'.repeat(32)}`
    expect(readGoalListQuery({ show: 'settled', text: ' ships ', after })).toEqual({
      show: 'settled',
      text: 'ships',
      after,
      isUnknownPlace: false,
    })
  })

  it('shows all for what is no list, also for names that every object has', () => {
    expect(readGoalListQuery({ show: 'constructor', text: ' ', after: 'gol_1' })).toEqual({ show: 'all', isUnknownPlace: true })
    expect(readGoalListQuery({})).toEqual({ show: 'all', isUnknownPlace: false })
  })
})
