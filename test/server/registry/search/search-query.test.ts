import { describe, expect, it } from 'vitest'
import { searchWords } from '../../../../server/registry/search/search-query.ts'

describe('searchWords', () => {
  it.each([
    ['I want to know the annual revenue of Microsoft from 2014 to 2020.', ['annual', 'revenue', 'microsoft', '2014', '2020']],
    ['report.markdown, draw_svg', ['report', 'markdown', 'draw', 'svg']],
    ['Übersetzung ins Español', ['übersetzung', 'ins', 'español']],
    ['chart Chart CHART', ['chart']],
    ['the of and', ['the', 'of', 'and']],
    ['a', ['a']],
    ['?!', []],
    ['', []],
  ])('%j', (text, words) => {
    expect(searchWords(text)).toEqual(words)
  })

  it('takes no more than twelve words, of forty letters each', () => {
    const words = searchWords(Array.from({ length: 50 }, (_, index) => `${'x'.repeat(60)}${index} w${index}`).join(' '))
    expect(words).toHaveLength(12)
    expect(Math.max(...words.map((word) => word.length))).toBe(40)
  })
})
