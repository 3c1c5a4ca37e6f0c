import { describe, expect, it } from 'vitest'
import { normalise } from '../../../../server/search/meaning/embedder.ts'
import { createVectorStore } from '../../../../server/search/meaning/vector-store.ts'
import { numbers } from '../sample-listings.ts'

const below = numbers(3)
const vectorOf = (dimensions: number) => normalise(Float32Array.from({ length: dimensions }, () => below(2_000) / 1_000 - 1))
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * (b[at] as number), 0)

describe.each([40, 128, 256, 1_536])('a store of vectors with %i dimensions', (dimensions) => {
  const vectors = Array.from({ length: 700 }, () => vectorOf(dimensions))
  const query = vectorOf(dimensions)
  const store = createVectorStore(dimensions)
  for (const [row, vector] of vectors.entries()) store.put(row, vector)
  store.setQuery(query)

  it('gives the cosine similarity of each row', () => {
    const all = store.similarities(vectors.length)
    for (const [row, vector] of vectors.entries()) {
      expect(all[row]).toBeCloseTo(cosine(vector, query), 1)
      expect(store.similarity(row)).toBeCloseTo(all[row] as number, 5)
    }
  })

  it('compares two rows with each other', () => {
    for (let row = 1; row < 50; row++)
      expect(store.between(row, row - 1)).toBeCloseTo(cosine(vectors[row] as Float32Array, vectors[row - 1] as Float32Array), 1)
    expect(store.between(7, 7)).toBeCloseTo(1, 1)
    expect(store.between(0, 700)).toBe(0)
  })

  const differing = (vector: Float32Array) => vector.filter((value, at) => value > 0 !== (query[at] as number) > 0).length
  const noParts = new Float64Array(2 * (dimensions + 1))

  it('counts the dimensions with different signs', () => {
    const distances = store.addByDistance(vectors.length, 1, noParts)
    for (const [row, vector] of vectors.entries()) expect(distances[row]).toBe(differing(vector))
  })

  it('adds the part for the distance to a share of each score', () => {
    const scores = store.scores(vectors.length)
    const scoreOf = (row: number) => (row % 3 === 0 ? 0 : row / 1_000)
    for (let row = 0; row < scores.length; row++) scores[row] = scoreOf(row)
    store.addByDistance(
      vectors.length,
      0.5,
      noParts.map((_, at) => at),
    )
    for (const [row, vector] of vectors.entries())
      expect(scores[row]).toBeCloseTo(0.5 * scoreOf(row) + differing(vector) + (scoreOf(row) > 0 ? dimensions + 1 : 0), 3)
  })

  it('keeps the distances while it compares single rows', () => {
    const distances = store.addByDistance(vectors.length, 1, noParts)
    const before = [...distances]
    for (let row = 0; row < 10; row++) store.similarity(row)
    expect([...distances]).toEqual(before)
  })

  it('gives a stored vector back, which stays the same when it is stored again', () => {
    const copy = createVectorStore(dimensions)
    const stored = store.vectorOf(699) as Float32Array
    copy.put(2, stored)
    expect([...(copy.vectorOf(2) as Float32Array)].map((value) => value.toFixed(6))).toEqual([...stored].map((value) => value.toFixed(6)))
    expect(copy.vectorOf(1)).toBeNull()
  })

  it('finds nothing similar to a row without a vector', () => {
    const few = createVectorStore(dimensions)
    few.put(0, query)
    few.put(0, null)
    few.setQuery(query)
    expect(few.similarity(0)).toBe(0)
    expect(few.similarities(2)).toEqual(new Float32Array(256).fill(0))
  })
})
