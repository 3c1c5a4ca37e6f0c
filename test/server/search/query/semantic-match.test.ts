import { describe, expect, it } from 'vitest'
import { type SourceListing, toIndexRecord } from '../../../../server/search/index/index-record.ts'
import { createListingIndex, finishLoading, type ListingIndex, putRecord } from '../../../../server/search/index/listing-index.ts'
import { normalise } from '../../../../server/search/meaning/embedder.ts'
import { readLocalEmbedder } from '../../../../server/search/meaning/local-embedder.ts'
import { createScratch, facetsOf, searchListings } from '../../../../server/search/query/search-listings.ts'
import type { Hit, SearchQuery } from '../../../../server/search/query/search-query.ts'
import { blend, focusOf, maxExact } from '../../../../server/search/query/semantic-match.ts'
import { idOf, listing, numbers, query } from '../sample-listings.ts'

const embedder = readLocalEmbedder()
const scratch = createScratch()
function indexOf(listings: readonly SourceListing[]): ListingIndex {
  const index = createListingIndex(embedder)
  index.isLoading = true
  for (const one of listings) putRecord(index, toIndexRecord(one, embedder))
  for (const _ of finishLoading(index));
  return index
}
const search = (index: ListingIndex, change: Partial<SearchQuery>) => searchListings(index, query(change), scratch).hits
const ids = (hits: readonly Hit[]) => hits.map((hit) => hit.agentId)

describe('how much the meaning counts', () => {
  it('is less for a query of many words, and more than its share for a great similarity', () => {
    expect([focusOf(1), focusOf(6)]).toEqual([1, 1])
    expect(focusOf(24)).toBeCloseTo(1 / 8)
    expect(blend(0, 0.6, 1)).toBeGreaterThan(2 * blend(0, 0.3, 1))
    // A text of one word, which a query of this word repeats, has no more than others that are about it.
    expect(blend(1, 1, 1)).toBe(blend(1, 0.6, 1))
    expect(blend(1, 0.5, 1)).toBeLessThan(blend(1, 0.6, 1))
    expect(blend(0.5, -0.3, 1)).toBe(blend(0.5, 0, 1))
  })
})

describe('a word of the language that no listing has', () => {
  const index = indexOf([listing(1, { summary: 'Photographs for your passport' }), listing(2, { summary: 'Photographs of cats' })])
  const wordsFor = (text: string) => search(index, { text }).find(({ agentId }) => agentId === idOf(1))?.rank.words

  it('may be unfinished at the end of a query, and stands for no other word elsewhere', () => {
    expect(embedder.knows('pass')).toBe(true)
    expect(wordsFor('photographs pass')).toContainEqual({ word: 'pass', kind: 'prefix', as: 'passport' })
    expect(wordsFor('pass photographs')?.map(({ word }) => word)).toEqual(['photographs'])
  })

  it('is unfinished anywhere if it is no word of the language', () => {
    expect(embedder.knows('passpo')).toBe(false)
    expect(wordsFor('passpo photographs')).toContainEqual({ word: 'passpo', kind: 'prefix', as: 'passport' })
  })
})

describe('the meaning of a query', () => {
  const index = indexOf([
    listing(1, { handle: '', summary: 'A camera for pictures and images' }),
    listing(2, { summary: 'Computes taxes of small firms' }),
    listing(3, { summary: 'Photographs of cats' }),
  ])

  it('finds a listing without a common word, behind those with one', () => {
    const hits = search(index, { text: 'photograph' })
    expect(ids(hits)).toEqual([idOf(3), idOf(1)])
    expect(hits[1]?.rank).toMatchObject({ words: [], isAdvertised: false })
    expect(hits[1]?.rank.meaning).toBeGreaterThan(0.25)
  })

  it('finds nothing where neither words nor meaning match', () => {
    expect(search(index, { text: 'zzqxv' })).toEqual([])
    expect(facetsOf(index, { ...query({ text: 'zzqxv' }), priceLimits: [], maxValues: 1 }, scratch).total).toBe(0)
  })

  it('takes a known word for no typing error', () => {
    const boats = indexOf([listing(1, { summary: 'Repairs boats and coasts' })])
    expect(search(boats, { text: 'goats' })).toEqual([])
    expect(ids(search(boats, { text: 'baots' }))).toEqual([idOf(1)])
  })
})

describe('a vector that an agent publishes of itself', () => {
  const values = embedder.embedTerms(new Map([['photograph', 1]]))
  const advertised = { model: embedder.model, values: values.map((value) => 1_000 * value) }
  const best = { standing: { ratings: 9, sum: 900, total: 900, judges: 9, paidSteps: 9, payers: 9, failedSteps: 0, latencyMs: 1 } }
  const index = indexOf([
    listing(1, { ...best, summary: 'Computes taxes', advertised }),
    listing(2, {
      summary: 'A report about firms, with one photograph of each office, their taxes, their owners, their debts and their plans',
    }),
    listing(3, { summary: 'Computes debts', advertised: { ...advertised, model: 'another-model' } }),
    listing(4, { summary: 'Computes interest', advertised: { model: embedder.model, values: Float32Array.of(1, 2) } }),
  ])

  it('makes it found, behind every listing whose text matches', () => {
    const hits = search(index, { text: 'photograph' })
    expect(ids(hits)).toEqual([idOf(2), idOf(1)])
    expect(hits[1]?.rank).toMatchObject({ isAdvertised: true, text: 0 })
  })

  it('does not change the rank of a listing whose text matches', () => {
    const totalOf = (change: Partial<SourceListing>) =>
      search(indexOf([listing(1, { summary: 'Photographs', ...change })]), { text: 'photograph' })[0]?.rank
    expect(totalOf({ advertised })).toEqual(totalOf({}))
  })

  it('is normalised', () => {
    expect(toIndexRecord(listing(1, { advertised }), embedder).advertised?.values).toEqual(normalise(advertised.values.slice()))
  })
})

describe('a market of more listings than are compared exactly', () => {
  const below = numbers(5)
  const subjects = ['camera', 'tax', 'music', 'garden', 'chess', 'mail', 'photograph', 'translate', 'bridge', 'protein', 'wine', 'football']
  const pick = () => subjects[below(subjects.length)] as string
  const listings = Array.from({ length: maxExact + 500 }, (_, n) => listing(n, { summary: `${pick()} ${pick()} ${pick()} word${n % 997}` }))
  const index = indexOf(listings)

  it('puts each listing on exactly one page, in descending order behind the first ten', () => {
    const found: Hit[] = []
    for (let after: string | undefined; ; ) {
      const { hits, isLast } = searchListings(index, query({ text: 'photograph', limit: 400, after }), scratch)
      found.push(...hits)
      if (isLast) break
      after = hits.at(-1)?.cursor
    }
    expect(new Set(ids(found)).size).toBe(found.length)
    const totals = found.slice(10).map((hit) => hit.rank.total)
    for (const [at, total] of totals.entries()) if (at > 0) expect(total).toBeLessThanOrEqual((totals[at - 1] as number) + 1e-3)
    const { total } = facetsOf(index, { ...query({ text: 'photograph' }), priceLimits: [], maxValues: 1 }, scratch)
    expect(found.length).toBe(total)
  })

  it('finds the first ten of the exact comparison', () => {
    const records = listings.map((one) => toIndexRecord(one, embedder))
    for (const text of ['orchard', 'subtitle', 'invoice', 'song']) {
      const asked = embedder.embedTerms(new Map([[text, 1]]))
      const exact = records.map(({ vector }) => (vector as Float32Array).reduce((sum, value, at) => sum + value * (asked[at] as number), 0))
      const tenth = exact.sort((a, b) => b - a)[9] as number
      if (tenth < 0.5) continue
      const found = search(index, { text, limit: 10 })
      expect(found.filter(({ rank }) => (rank.meaning as number) >= tenth - 0.02).length).toBeGreaterThanOrEqual(9)
    }
  })
})
