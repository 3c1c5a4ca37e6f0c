import { describe, expect, it } from 'vitest'
import { rankRows } from '../../../app/_agents/listing-figure-format.ts'

describe('rankRows', () => {
  const rank = { total: 1.0512, text: 0.7312, reputation: 0.17, presence: 0.15, words: [], demoted: false }

  it('gives the parts of a rank before their total', () => {
    expect(rankRows(rank)).toEqual([
      { part: 'text', points: '73.1' },
      { part: 'reputation', points: '17.0' },
      { part: 'presence', points: '15.0' },
      { part: 'total', points: '105.1' },
    ])
  })

  it('gives no match for a search without words', () => {
    expect(rankRows({ ...rank, text: 0, total: 0.32 }).map(({ part }) => part)).toEqual(['reputation', 'presence', 'total'])
  })
})
