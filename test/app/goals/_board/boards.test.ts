import { describe, expect, it } from 'vitest'
import { readBoard } from '../../../../app/goals/_board/boards.ts'

describe('readBoard', () => {
  it('reads a list, words and a place in it', () => {
    const after = `gol_${'a'.repeat(32)}`
    expect(readBoard({ show: 'settled', text: ' ships ', after })).toEqual({ show: 'settled', text: 'ships', after, isUnknownPlace: false })
  })

  it('shows all for what is no list, also for names that every object has', () => {
    expect(readBoard({ show: 'constructor', text: ' ', after: 'gol_1' })).toEqual({ show: 'all', isUnknownPlace: true })
    expect(readBoard({})).toEqual({ show: 'all', isUnknownPlace: false })
  })
})
