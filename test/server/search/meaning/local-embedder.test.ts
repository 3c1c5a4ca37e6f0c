import { describe, expect, it } from 'vitest'
import { readLocalEmbedder } from '../../../../server/search/meaning/local-embedder.ts'
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
