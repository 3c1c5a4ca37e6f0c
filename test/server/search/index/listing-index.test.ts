import { describe, expect, it } from 'vitest'
import { startCompaction } from '../../../../server/search/index/compaction.ts'
import { type IndexRecord, toIndexRecord } from '../../../../server/search/index/index-record.ts'
import {
  createListingIndex,
  finishLoading,
  isIntact,
  type ListingIndex,
  labelOf,
  putRecord,
  recordOf,
  removeListing,
} from '../../../../server/search/index/listing-index.ts'
import { createScratch, searchListings } from '../../../../server/search/query/search-listings.ts'
import { idOf, indexOf, listing, numbers, query } from '../sample-listings.ts'

const words = 'chart table report price music engine water cloud garden paper'.split(' ')
const found = (index: ListingIndex, text: string) =>
  searchListings(index, query({ text, limit: 1_000 }), createScratch()).hits.map(({ agentId, rank }) => [agentId, rank.text])

/** `count` listings of random words. */
function samples(count: number, seed = 3) {
  const below = numbers(seed)
  return Array.from({ length: count }, (_, n) =>
    listing(n, { summary: Array.from({ length: 20 }, () => words[below(words.length)]).join(' ') }),
  )
}

describe('the index', () => {
  it('gives back each record as it was put', () => {
    const skill = {
      id: 'a.b',
      name: 'Skill',
      price: 2n ** 62n,
      inputTypes: ['table'],
      outputTypes: ['chart.svg', 'chart'],
      description: 'Draws.',
    }
    const source = listing(1, {
      ...{ name: 'Plotter', skills: [skill, { ...skill, id: 'c.d' }], attributes: ['language:de'], expiresAt: 5 },
      standing: { ratings: 3, sum: 250, total: 170.5, judges: 2, paidSteps: 3, payers: 1, failedSteps: 1, latencyMs: 1_500 },
      presence: { seenAt: 9, hasLeft: true },
    })
    // The order of the terms has no meaning.
    const comparable = ({ terms, impacts, ...facts }: IndexRecord) => ({
      ...facts,
      terms: new Map(terms.map((term, n) => [term, impacts[n]])),
    })
    expect(comparable(recordOf(indexOf([listing(2), source]), 1))).toEqual(comparable(toIndexRecord(source)))
  })

  it('finds a listing by its newest version only', () => {
    const index = indexOf([listing(1, { summary: 'Draws charts.' }), listing(2, { summary: 'Translates texts.' })])
    putRecord(index, toIndexRecord(listing(1, { summary: 'Plays music.' })))
    expect(found(index, 'chart')).toEqual([])
    expect(found(index, 'music').map(([id]) => id)).toEqual([idOf(1)])
    expect(index.live).toBe(2)
    removeListing(index, idOf(1))
    expect(found(index, 'music')).toEqual([])
    expect([index.live, found(index, 'translate').length]).toEqual([1, 1])
  })

  it('is the same whether listings are put at once or one at a time', () => {
    const all = samples(300)
    const loaded = createListingIndex()
    loaded.isLoading = true
    for (const one of [...samples(50, 8), ...all]) putRecord(loaded, toIndexRecord(one))
    for (const _ of finishLoading(loaded));
    for (const word of words) expect(found(loaded, word)).toEqual(found(indexOf(all), word))
  })

  it('is compacted without a change of results, while listings change', () => {
    const below = numbers(5)
    const index = indexOf([...samples(400), ...samples(400, 9)])
    const compaction = startCompaction(index)
    let steps = 0
    while (!compaction.step()) {
      steps++
      const id = below(500)
      if (below(2) === 0) {
        putRecord(index, toIndexRecord(listing(id, { summary: `${words[below(10)]} ${words[below(10)]}` })))
        removeListing(compaction.target, idOf(id))
      } else for (const one of [index, compaction.target]) removeListing(one, idOf(id))
    }
    expect(steps).toBeGreaterThan(3)
    expect(compaction.target.slots).toBeLessThan(index.slots)
    expect(compaction.target.live).toBe(index.live)
    for (const word of words) expect(found(compaction.target, word)).toEqual(found(index, word))
  })

  it('notices damaged terms', () => {
    const index = indexOf(samples(3))
    expect(isIntact(index, 1)).toBe(true)
    const start = index.termStart.data[1] as number
    index.terms.items.data[start] = (index.terms.items.data[start] as number) ^ 256
    expect([isIntact(index, 0), isIntact(index, 1)]).toEqual([true, false])
  })

  it('labels a skill by the name that most listings give it', () => {
    const named = (n: number, name: string) => listing(n, { skills: [{ id: 'text.shout', name }] })
    const index = indexOf([named(1, 'Shout'), named(2, 'Yell'), named(3, 'Yell')])
    const code = index.skills.ids.find('text.shout') ?? -1
    expect(labelOf(index.skills, code)).toBe('Yell')
    removeListing(index, idOf(2))
    putRecord(index, toIndexRecord(named(3, 'Shout')))
    expect(labelOf(index.skills, code)).toBe('Shout')
  })
})
