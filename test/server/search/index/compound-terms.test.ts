import { describe, expect, it } from 'vitest'
import { addRelatedTerm, createCompoundTerms, findRelated, relatedCloseness } from '../../../../server/search/index/compound-terms.ts'
import { createScratch, searchListings } from '../../../../server/search/query/search-listings.ts'
import { idOf, indexOf, listing, query } from '../sample-listings.ts'

describe('related terms', () => {
  it('begin or end with each other, and the shorter one is at least half of the longer', () => {
    expect(relatedCloseness('filesystem', 'system')).toBeCloseTo(0.7 * 0.6)
    expect(relatedCloseness('photo', 'photograph')).toBeCloseTo(0.8 * 0.5)
    expect([relatedCloseness('port', 'report'), relatedCloseness('photo', 'photographically'), relatedCloseness('table', 'table')]).toEqual(
      [0, 0, 0],
    )
    expect(relatedCloseness('model', 'model3')).toBe(0)
  })

  it('are found among all terms, the closest first, also after a new term', () => {
    const texts = ['system', 'filesystem', 'systemd', 'photo']
    const terms = createCompoundTerms()
    for (const [code, text] of texts.entries()) addRelatedTerm(terms, text, code)
    const found = () => findRelated(terms, 'system', (code) => texts[code] ?? '').map(({ code }) => texts[code])
    expect(found()).toEqual(['systemd', 'filesystem'])
    texts.push('subsystem')
    addRelatedTerm(terms, 'subsystem', 4)
    expect(found()).toEqual(['systemd', 'subsystem', 'filesystem'])
  })
})

describe('a search', () => {
  const market = indexOf([
    listing(1, { summary: 'Checks a disk for errors' }),
    listing(2, { summary: 'Checks a filesystem for errors' }),
    listing(3, { summary: 'Explains the filesystem of a phone' }),
    ...Array.from({ length: 4 }, (_, n) => listing(10 + n, { summary: 'Plans the system of trains' })),
  ])

  it('places a listing with a compound before one without, and says why', () => {
    const { hits } = searchListings(market, query({ text: 'check system' }), createScratch())
    const idsOf = hits.map(({ agentId }) => agentId)
    expect(idsOf.indexOf(idOf(2))).toBeLessThan(idsOf.indexOf(idOf(1)))
    expect(hits.find(({ agentId }) => agentId === idOf(2))?.rank.words).toEqual([
      { word: 'check', kind: 'exact' },
      { word: 'system', kind: 'related', as: 'filesystem' },
    ])
  })

  it('does not find a listing by a compound alone', () => {
    const { hits } = searchListings(market, query({ text: 'check system' }), createScratch())
    expect(hits.map(({ agentId }) => agentId)).not.toContain(idOf(3))
  })
})
