import { describe, expect, it } from 'vitest'
import { createListingTextSimilarity, createTermMarks } from '../../../../server/search/query/listing-text-similarity.ts'
import { indexOf, listing } from '../sample-listings.ts'

const summary = 'Translates contracts and other legal documents from German into English, and marks passages that a lawyer must read.'
/** The similarity of the first two listings of an index with some others. */
function similarity(a: string, b: string): number {
  const others = Array.from({ length: 20 }, (_, n) =>
    listing(100 + n, { summary: `Draws charts of weather number ${n} for newspapers and checks each figure.` }),
  )
  const index = indexOf([listing(1, { summary: a }), listing(2, { summary: b }), ...others])
  return createListingTextSimilarity(index, createTermMarks())(0, 1)
}

describe('the similarity of texts', () => {
  it('is high for the same words in another order or repeated, also with added words that no other listing has', () => {
    const reversed = summary.split(' ').reverse().join(' ')
    const padded = `${summary} ${Array.from({ length: 30 }, (_, n) => `zq${n}x`).join(' ')}`
    for (const copy of [summary, reversed, `${summary} ${summary}`]) expect(similarity(summary, copy)).toBeGreaterThan(0.8)
    expect(similarity(summary, padded)).toBeGreaterThan(0.5)
  })

  it('is low for another subject, and zero for texts without a common word', () => {
    expect(similarity(summary, 'Draws charts of weather for newspapers and checks each figure, then explains it in English.')).toBeLessThan(
      0.3,
    )
    expect(similarity(summary, 'Kocht Suppen, Nudeln, Eintopf, Braten, Kuchen, Torten, Brot und Salat.')).toBeLessThan(0.1)
  })

  it('does not depend on earlier queries', () => {
    const texts = [
      summary,
      `${summary} Also French.`,
      'Draws charts of weather.',
      `Draws charts. ${summary}`,
      'Draws weather charts for ships.',
    ]
    const index = indexOf(texts.map((text, n) => listing(n, { summary: text })))
    const marks = createTermMarks()
    const pairs = texts.flatMap((_, a) => texts.map((_, b) => [a, b] as const))
    for (const order of [pairs, pairs.toReversed(), pairs]) {
      const similarity = createListingTextSimilarity(index, marks)
      for (const [a, b] of order) expect(similarity(a, b)).toBe(createListingTextSimilarity(index, createTermMarks())(a, b))
    }
  })
})
