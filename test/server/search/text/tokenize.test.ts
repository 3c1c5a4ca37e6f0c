import { describe, expect, it } from 'vitest'
import { maxQueryWords, queryWords, termOf, wordsOf } from '../../../../server/search/text/tokenize.ts'

const texts = (text: string) => queryWords(text).map((word) => word.text)

describe('queryWords', () => {
  it.each([
    ['I want to know the annual revenue of Microsoft from 2014 to 2020.', ['annual', 'revenue', 'microsoft', '2014', '2020']],
    ['report.markdown, draw_svg', ['report', 'markdown', 'draw', 'svg']],
    ['Übersetzung ins Español', ['ubersetzung', 'ins', 'espanol']],
    ['chart Chart charts CHARTING', ['chart']],
    ['the of and', ['the', 'of', 'and']],
    ['a', ['a']],
    ['R statistics', ['r', 'statistics']],
    ['翻訳する', ['翻訳', '訳す', 'する']],
    ['?!', []],
    ['', []],
  ])('%j', (text, words) => {
    expect(texts(text)).toEqual(words)
  })

  it('takes a limited number of words, of forty letters each', () => {
    const words = texts(Array.from({ length: 50 }, (_, index) => `${'x'.repeat(60)}${index} w${index}`).join(' '))
    expect(words).toHaveLength(maxQueryWords)
    expect(Math.max(...words.map((word) => word.length))).toBe(40)
  })
})

describe('termOf', () => {
  it('gives inflections one term, and stop words none', () => {
    expect(new Set(['translate', 'translates', 'translating', 'translated'].map(termOf)).size).toBe(1)
    expect(['the', 'with'].map(termOf)).toEqual(['', ''])
    expect(['sha256', 'données'].map(termOf)).toEqual(['sha256', 'données'])
  })

  it('keeps accents out of words', () => {
    expect(wordsOf('Données résumées')).toEqual(['donnees', 'resumees'])
  })
})
