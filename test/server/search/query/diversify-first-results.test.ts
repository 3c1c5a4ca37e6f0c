import { describe, expect, it } from 'vitest'
import { noStanding, type SourceListing, toIndexRecord } from '../../../../server/search/index/index-record.ts'
import { createListingIndex, type ListingIndex, putRecord } from '../../../../server/search/index/listing-index.ts'
import { readLocalEmbedder } from '../../../../server/search/meaning/local-embedder.ts'
import { createScratch, searchListings } from '../../../../server/search/query/search-listings.ts'
import { idOf, indexOf, listing, query, terms } from '../sample-listings.ts'

const text = 'translate contracts from German into English'
const original =
  'Translates contracts and other legal documents from German into English, checks every term against a legal dictionary, and marks passages that a lawyer must read.'
const others = [
  'Translates letters from French into English.',
  'Reads German novels aloud in English with many voices.',
  'Draws up contracts for tenants in England.',
  'Finds German words in English songs and explains them.',
  'Counts the contracts of a company by year and country.',
  'Writes English summaries of German newspapers every morning.',
  'Compares English and German prices of used cars.',
  'Plans journeys through German cities for English families.',
  'Checks contracts for missing signatures before they are sent.',
  'Translates recipes from Spanish into English and converts the units.',
].map((summary, index) => listing(100 + index, { summary }))
const honest = listing(1, { summary: original })
const search = (listings: readonly SourceListing[], limit = 10) =>
  searchListings(indexOf(listings), query({ text, limit }), createScratch()).hits
const copies = (make: (n: number) => Partial<SourceListing>) =>
  Array.from({ length: 50 }, (_, n) => listing(1_000 + n, { summary: original, ...make(n) } as Parameters<typeof listing>[1]))

describe('the first ten', () => {
  it.each([
    ['of one owner', copies(() => ({ ownerId: 'flood' }))],
    ['with one payee', copies(() => ({ payout: 'flood' }))],
    ['of fifty owners', copies(() => ({}))],
    ['of fifty owners, with the words repeated', copies(() => ({ summary: `${original} ${original}` }))],
    ['of one owner, with other texts', copies((n) => ({ ownerId: 'flood', summary: `${text} number ${n} quick ${n * 7} cheap ${n * 3}` }))],
  ])('hold at most two of fifty listings %s', (_, flood) => {
    const first = search([honest, ...others, ...flood])
    const isFlood = new Set(flood.map((one) => one.agentId))
    expect(first.filter((hit) => isFlood.has(hit.agentId)).length).toBeLessThanOrEqual(2)
    expect(first.findIndex((hit) => hit.agentId === idOf(1))).toBeLessThan(3)
    expect(first).toHaveLength(10)
  })

  it('are followed by the rest in order, which reports that it was demoted', () => {
    const flood = copies(() => ({ ownerId: 'flood' }))
    const all = search([honest, ...others, ...flood], 61)
    expect(new Set(all.map((hit) => hit.agentId)).size).toBe(61)
    const rest = all.slice(10)
    expect(rest.map(({ rank }) => rank.total)).toEqual(rest.map(({ rank }) => rank.total).sort((a, b) => b - a))
    expect(rest.filter(({ rank }) => rank.demotedBy !== null).length).toBeGreaterThanOrEqual(48)
    expect(all.slice(0, 10).some(({ rank }) => rank.demotedBy !== null)).toBe(false)
  })

  it('show a copied listing before older ones that took over its text', () => {
    const revised = copies((n) => ({ publishedAt: honest.publishedAt - 1 - n, textSince: honest.publishedAt + 1 + n }))
    expect(search([honest, ...revised])[0]?.agentId).toBe(idOf(1))
  })

  it('keep an owner who is its own payee, although others name its address', () => {
    const wallet = '0x5555555555555555555555555555555555555555'
    const own = { ...honest, ownerId: `did:pkh:eip155:31337:${wallet}`, payout: wallet }
    const rivals = [1, 2, 3].map((n) =>
      listing(2_000 + n, { summary: `${text} ${text} quickly for clients of office ${n}`, payout: wallet, name: `${text} ${n}` }),
    )
    const first = search([own, ...others, ...rivals])
    expect(first.find((hit) => hit.agentId === own.agentId)?.rank.demotedBy).toBe(null)
    expect(first.slice(0, 10).filter((hit) => rivals.some(({ agentId }) => agentId === hit.agentId)).length).toBeLessThanOrEqual(2)
  })

  it('keep the first owner of a payee that is no owner, although later ones name it, also if its text is copied', () => {
    const cold = { ...honest, payout: 'cold', payoutSince: 1 }
    const rivals = [1, 2, 3].map((n) =>
      listing(2_000 + n, { summary: `${text} ${text} quickly for clients of office ${n}`, payout: 'cold', name: `${text} ${n}` }),
    )
    const copied = [1, 2, 3].map((n) => listing(3_000 + n, { summary: original, name: text, payout: 'cold' }))
    for (const later of [rivals, copied]) {
      const first = search([cold, ...others, ...later])
      expect(first.find((hit) => hit.agentId === cold.agentId)?.rank.demotedBy).toBe(null)
      expect(first.filter((hit) => later.some(({ agentId }) => agentId === hit.agentId)).length).toBeLessThanOrEqual(2)
    }
    // The first owner and a later one take both places, so another later one gets none.
    const best = { ...cold, summary: text }
    const weaker = [1, 2].map((n) =>
      listing(4_000 + n, { summary: `${text} for office ${n} with much else to say about ${n * 7}`, payout: 'cold' }),
    )
    expect(search([best, ...others, ...weaker], 20).filter((hit) => hit.rank.demotedBy === 'payee')).toHaveLength(1)
    // A later owner gains nothing by an older listing that came to name the payee later.
    const moved = rivals.map((one) => ({ ...one, publishedAt: 1, payoutSince: terms.now }))
    expect(search([cold, ...others, ...moved]).some((hit) => hit.agentId === cold.agentId)).toBe(true)
  })

  it('count all listings of the first owner of a payee apart, also those that are younger than the rivals', () => {
    const mine = [1, 2].map((n) =>
      listing(n, { summary: `${original} Office ${n}.`, payout: 'cold', ownerId: 'first', payoutSince: n === 1 ? 1 : terms.now }),
    )
    const rivals = [1, 2].map((n) =>
      listing(2_000 + n, { summary: `${text} ${text} for office ${n}`, payout: 'cold', name: text, payoutSince: 5 }),
    )
    const first = search([...mine, ...others, ...rivals]).map((hit) => hit.agentId)
    expect(first).toContain(idOf(2))
  })

  it('keep an original at its own total: not before an unrelated listing with a higher one', () => {
    const filler = 'archive ledger invoice customs freight warehouse pallet barcode scanner shelf forklift'
    const seen = { presence: { seenAt: terms.now - 600_000, hasLeft: false } }
    const older = listing(10, { summary: `${filler} contracts`, ...seen })
    const better = listing(11, { summary: `${filler} contracts German`, ...seen })
    const second = listing(12, { summary: `${filler} contracts German translate`, ...seen })
    const unrelated = listing(13, { summary: 'contracts German English words and much else about dogs, cats, birds and horses', ...seen })
    const hits = search([older, better, second, unrelated, ...others.slice(0, 2)])
    const totals = hits.filter(({ rank }) => rank.demotedBy === null).map(({ rank }) => rank.total)
    expect(totals).toEqual(totals.toSorted((a, b) => b - a))
    const at = (n: number) => hits.findIndex((hit) => hit.agentId === idOf(n))
    expect(at(12)).toBeLessThan(at(13))
    expect(at(12)).toBeGreaterThanOrEqual(0)
    expect(at(13)).toBeLessThan(at(10))
    expect(hits[at(10)]?.rank.demotedBy).toBe(null)
    expect(hits[at(11)]?.rank.demotedBy).toBe('text')
    expect(hits[at(10)]?.rank.isBeforeHigher).toBe(true)
    expect(hits[at(12)]?.rank.isBeforeHigher).toBe(false)
  })

  it('give what each demoted listing shares with two before it', () => {
    const reason = (make: (n: number) => Partial<SourceListing>) =>
      search([honest, ...others, ...copies(make)], 61).find(({ rank }) => rank.demotedBy !== null)?.rank.demotedBy
    expect(reason((n) => ({ ownerId: 'flood', summary: `${text} ${n} quick ${n * 7} cheap ${n * 3}` }))).toBe('owner')
    expect(reason((n) => ({ payout: 'flood', summary: `${text} ${n} quick ${n * 7} cheap ${n * 3}` }))).toBe('payee')
    expect(reason(() => ({}))).toBe('text')
  })

  it('show a copied listing before its copies, if it is older or has more payers', () => {
    const standing = { ...noStanding, paidSteps: 1, payers: 1 }
    const older = copies((n) => ({ publishedAt: honest.publishedAt - 1 - n }))
    expect(search([honest, ...older])[0]?.agentId).not.toBe(idOf(1))
    expect(search([{ ...honest, standing }, ...older])[0]?.agentId).toBe(idOf(1))
    expect(search([honest, ...copies(() => ({}))])[0]?.agentId).toBe(idOf(1))
  })

  it('hold all listings of one owner if there are no others', () => {
    expect(search(copies(() => ({ ownerId: 'flood' })))).toHaveLength(10)
  })
})

describe('paraphrases with few common words', () => {
  const paraphrases = [
    'Renders agreements and further juridical papers from German into English, verifies all terms with a legal dictionary, and marks passages for a lawyer.',
    'Converts contracts and legal papers out of German to English. Compares terms with a law dictionary; flags passages that lawyers must read.',
    'German to English: contracts and judicial documents, every term looked up in a legal dictionary, difficult passages marked for lawyers.',
  ].map((summary, n) => listing(2_000 + n, { summary }))
  const embedder = readLocalEmbedder()
  const demotedIn = (index: ListingIndex) => {
    const { hits } = searchListings(index, query({ text, limit: 20 }), createScratch())
    return hits.filter(({ rank }) => rank.demotedBy !== null).length
  }
  const market = [honest, ...others, ...paraphrases]

  it('count as one text if their meaning is the same', () => {
    const withMeaning = createListingIndex(embedder)
    for (const one of market) putRecord(withMeaning, toIndexRecord(one, embedder))
    expect(demotedIn(indexOf(market))).toBe(0)
    expect(demotedIn(withMeaning)).toBeGreaterThan(0)
  })
})
