import { describe, expect, it } from 'vitest'
import { createLocalEmbedder, readLocalEmbedder } from '../../../../server/search/meaning/local-embedder.ts'
import { readTermVectors, writeTermVectors } from '../../../../server/search/meaning/term-vectors.ts'
import { termOf, wordsOf } from '../../../../server/search/text/tokenize.ts'

const embedder = readLocalEmbedder()
const embed = (text: string) =>
  embedder.embedTerms(new Map(wordsOf(text).flatMap((word) => (termOf(word) === '' ? [] : [[termOf(word), 1]]))))
const similarity = (a: string, b: string) => embed(a).reduce((sum, value, at) => sum + value * (embed(b)[at] as number), 0)

describe('the local embedder', () => {
  it.each([
    ['take photographs', 'a camera for pictures', 'a chess engine'],
    ['play a song', 'music player', 'spreadsheet'],
    ['send an e-mail', 'mail client', 'video editor'],
    ['draw diagrams', 'graph visualization', 'password manager'],
  ])('finds %s closer to %s than to %s', (text, near, far) => {
    expect(similarity(text, near)).toBeGreaterThan(similarity(text, far))
  })

  it('knows words, and no typing errors', () => {
    expect(embedder.knows(termOf('translation'))).toBe(true)
    expect(embedder.knows(termOf('transaltion'))).toBe(false)
  })

  it('gives an unknown term a vector near the word that it resembles', () => {
    expect(similarity('transaltions', 'translations')).toBeGreaterThan(similarity('transaltions', 'chess'))
  })

  it('adds the weighted rows of more terms than one call of the kernel takes', () => {
    const [dimensions, count, buckets] = [16, 3_000, 7]
    const value = (at: number) => ((at * 7_919) % 255) - 127
    const weights = {
      ...{ model: 'test', dimensions, buckets, terms: Array.from({ length: count }, (_, at) => `term${at}`) },
      rows: Int8Array.from({ length: (count + buckets) * dimensions }, (_, at) => value(at)),
      scales: Float32Array.from({ length: count + buckets }, (_, row) => 1 / (1 + (row % 5))),
    }
    const texts = createLocalEmbedder(weights)
    const counts = new Map(weights.terms.map((term, at) => [term, 1 + (at % 3)]))
    const plain = Array.from({ length: dimensions }, (_, place) =>
      weights.terms.reduce((sum, _term, row) => {
        const weight = (1 + Math.log(1 + (row % 3))) * (weights.scales[row] as number)
        return sum + weight * (weights.rows[row * dimensions + place] as number)
      }, 0),
    )
    const length = Math.hypot(...plain)
    // The second text begins with an empty sum.
    for (const vector of [texts.embedTerms(counts), texts.embedTerms(counts)])
      for (const [place, sum] of plain.entries()) expect(vector[place]).toBeCloseTo(sum / length, 4)
  })

  it('gives zeros for a text without terms', () => {
    expect(embedder.embedTerms(new Map())).toEqual(new Float32Array(256))
  })
})

describe('the weights', () => {
  const weights = {
    ...{ model: 'test', dimensions: 2, terms: ['one', 'zwölf'], buckets: 1 },
    ...{ scales: Float32Array.of(0.5, 1, 2), rows: Int8Array.of(1, -2, 3, -4, 5, 127) },
  }

  it('are read as they were written', () => {
    const written = writeTermVectors(weights)
    expect(readTermVectors(written)).toEqual(weights)
    // At an address that is no multiple of four.
    const moved = new Uint8Array(written.length + 1)
    moved.set(written, 1)
    expect(readTermVectors(moved.subarray(1))).toEqual(weights)
  })

  it('are refused if bytes are missing', () => {
    expect(() => readTermVectors(writeTermVectors(weights).subarray(0, -1))).toThrow('damaged')
  })
})
