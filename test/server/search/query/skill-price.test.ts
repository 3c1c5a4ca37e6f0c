import { describe, expect, it } from 'vitest'
import type { SourceListing } from '../../../../server/search/index/index-record.ts'
import { recordOf } from '../../../../server/search/index/listing-index.ts'
import { createScratch, facetsOf, searchListings } from '../../../../server/search/query/search-listings.ts'
import type { SearchQuery } from '../../../../server/search/query/search-query.ts'
import { idOf, indexOf, listing, numbers, query } from '../sample-listings.ts'

const scratch = createScratch()
const bait = listing(1, {
  skills: [
    { id: 'ping.pong', name: 'Ping', price: 0n },
    { id: 'genome.violin', name: 'Genome violin', description: 'Plays a genome on a violin.', price: 900_000n },
  ],
})
const honest = listing(2, {
  skills: [
    { id: 'genome.violin', name: 'Genome violin', price: 5n },
    { id: 'film.cut', name: 'Cut a film', price: 900n },
  ],
})
const market = indexOf([bait, honest])
const ask = (change: Partial<SearchQuery>, index = market) => searchListings(index, query(change), scratch).hits
const ids = (change: Partial<SearchQuery>, index = market) => ask(change, index).map((hit) => hit.agentId)

describe('with words, the skill that matches them best', () => {
  it('decides the price of the filter, of the order and of the result', () => {
    expect(ids({ text: 'genome violin', maxPrice: 10n })).toEqual([idOf(2)])
    expect(ids({ text: 'genome violin', sort: 'price' })).toEqual([idOf(2), idOf(1)])
    expect(ask({ text: 'genome violin' }).map((hit) => hit.skillId)).toEqual(['genome.violin', 'genome.violin'])
    expect(ids({ text: 'ping', maxPrice: 10n })).toEqual([idOf(1)])
    expect(ids({ text: 'film', maxPrice: 10n })).toEqual([])
  })

  it('does not decide without words, or if no skill has one of them', () => {
    expect(ids({ maxPrice: 10n }).sort()).toEqual([idOf(1), idOf(2)])
    expect(ids({ sort: 'price' })).toEqual([idOf(1), idOf(2)])
    const named = indexOf([{ ...bait, name: 'Meridian' }])
    expect(ask({ text: 'meridian', maxPrice: 10n }, named).map((hit) => hit.skillId)).toEqual([null])
  })

  it('is chosen from those that meet the other conditions', () => {
    expect(ids({ text: 'genome violin', skillId: 'ping.pong', maxPrice: 10n })).toEqual([idOf(1)])
    expect(ids({ text: 'genome violin', skillId: 'film.cut', maxPrice: 10n })).toEqual([])
  })

  it('is found by a word with an error, by a compound and by its parts', () => {
    for (const text of ['genomw', 'violins', 'GenomeViolin']) expect(ids({ text, maxPrice: 10n }), text).toEqual([idOf(2)])
  })

  it('stays known in a copy of the record', () => {
    expect(recordOf(market, 0).skillMasks).not.toBeNull()
    expect(recordOf(indexOf([listing(1, { skills: [{ price: 1n }, { id: 'b.c', price: 1n }] })]), 0).skillMasks).toBeNull()
  })
})

/** Skills of random words, types and prices. The words differ from each other by more than errors. */
function randomMarket(): SourceListing[] {
  const below = numbers(21)
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T
  return Array.from({ length: 300 }, (_, n) =>
    listing(n, {
      summary: pick(['zebra', 'quartz']),
      attributes: [`language:${pick(['de', 'fr'])}`],
      presence: { seenAt: below(2) ? query().terms.now : null, hasLeft: false },
      skills: Array.from({ length: 1 + below(4) }, (_one, position) => ({
        id: `${pick(['kiwi', 'oxygen', 'umbrella'])}.no${position}`,
        price: BigInt(below(6)),
        outputTypes: [pick(['table', 'chart'])],
      })),
    }),
  )
}

describe('the counts of the facets', () => {
  const all = indexOf(randomMarket())
  const count = (change: Partial<SearchQuery>) => {
    let [after, total]: [string | undefined, number] = [undefined, 0]
    for (;;) {
      const { hits, isLast } = searchListings(all, query({ ...change, after, limit: 37 }), scratch)
      total += hits.length
      if (isLast) return total
      after = hits.at(-1)?.cursor
    }
  }
  const priceLimits = [0n, 1n, 3n, 5n]

  it.each<[string, Partial<SearchQuery>]>([
    ['no filter', {}],
    ['a price', { maxPrice: 2n }],
    ['a type', { outputType: 'table' }],
    ['a type and a price', { outputType: 'table', maxPrice: 2n }],
    ['a skill and a price', { skillId: 'kiwi.no1', maxPrice: 2n }],
    ['presence and a price', { online: true, maxPrice: 1n }],
    ['a language and a price', { attributes: { language: ['de'] }, maxPrice: 1n }],
  ])('are those of the results with the value, with words and %s', (_, filters) => {
    for (const text of ['kiwi', 'kiwi umbrella', 'zebra', undefined]) {
      const asked = { ...filters, text }
      const facets = facetsOf(all, { ...query(asked), priceLimits, maxValues: 40 }, scratch)
      expect(facets.total).toBe(count(asked))
      expect(facets.online).toBe(count({ ...asked, online: true }))
      expect([...facets.prices]).toEqual(priceLimits.map((maxPrice) => count({ ...asked, maxPrice })))
      for (const one of facets.skills) expect([one.value, one.count]).toEqual([one.value, count({ ...asked, skillId: one.value })])
      for (const one of facets.outputTypes) expect([one.value, one.count]).toEqual([one.value, count({ ...asked, outputType: one.value })])
      for (const one of facets.attributes.language) expect(one.count).toBe(count({ ...asked, attributes: { language: [one.value] } }))
    }
  })

  it('hold for pages in the order of prices', () => {
    for (const text of ['kiwi', 'umbrella oxygen']) expect(count({ text, sort: 'price' })).toBe(count({ text }))
  })
})
