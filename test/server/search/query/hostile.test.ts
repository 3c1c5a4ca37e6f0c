import { describe, expect, it } from 'vitest'
import { type SourceListing, toIndexRecord } from '../../../../server/search/index/index-record.ts'
import { createListingIndex, putRecord } from '../../../../server/search/index/listing-index.ts'
import { readLocalEmbedder } from '../../../../server/search/meaning/local-embedder.ts'
import { planText } from '../../../../server/search/query/score-text.ts'
import { createScratch, facetsOf, searchListings } from '../../../../server/search/query/search-listings.ts'
import { CursorProblem, searchSorts } from '../../../../server/search/query/search-query.ts'
import { idOf, indexOf, listing, numbers, query, terms } from '../sample-listings.ts'

const scratch = createScratch()
const below = numbers(4)
const letters = 'abcdefghijklmnopqrstuvwxyz'
const word = () => Array.from({ length: 5 + below(9) }, () => letters[below(26)]).join('')
const vocabulary = Array.from({ length: 20_000 }, word)
const market = indexOf(
  Array.from({ length: 2_000 }, (_, n) =>
    listing(n, { name: `Agent ${n}`, summary: Array.from({ length: 30 }, () => vocabulary[below(20_000)]).join(' ') }),
  ),
)
const ids = (text: string, index = market) => searchListings(index, query({ text }), scratch).hits.map((hit) => hit.agentId)

const hostile: readonly [string, string][] = [
  ['10 kB of one word', 'agent '.repeat(1_700)],
  ['10 kB without a space', 'a'.repeat(10_240)],
  ['stop words only', 'the of and to a in is it for on with as'],
  ['emoji', '🙂👩‍👩‍👧‍👦🏳️‍🌈'.repeat(100)],
  ['Chinese', '翻译合同和法律文件'.repeat(50)],
  ['Arabic', 'ترجمة العقود والمستندات القانونية'],
  ['Thai', 'แปลสัญญาและเอกสารทางกฎหมาย'.repeat(20)],
  ['characters of expressions', '(a+)+$ [^]{1,9999} .* \\d \\u0000 | ^ ?'],
  ['NUL', 'agent\u0000agent\u0000'],
  ['combining marks', `a${'\u0301'.repeat(5_000)}gent`],
  ['lone surrogates', '\ud800agent\udfff'],
  ['a thousand words', Array.from({ length: 1_000 }, word).join(' ')],
  ['names of members', '__proto__ constructor toString hasOwnProperty'],
]

describe('a hostile query', () => {
  it.each(hostile)('of %s is answered within bounds', (_, text) => {
    const ask = () => {
      const begun = performance.now()
      const { hits } = searchListings(market, query({ text }), scratch)
      const counts = facetsOf(market, { ...query({ text }), priceLimits: [1n], maxValues: 40 }, scratch)
      return { hits, counts, took: performance.now() - begun }
    }
    const answers = [ask(), ask(), ask()]
    // The fastest of three: other processes may have used the processor meanwhile.
    expect(Math.min(...answers.map(({ took }) => took))).toBeLessThan(1_000)
    const { hits, counts } = answers[0] as ReturnType<typeof ask>
    expect(hits.length).toBeLessThanOrEqual(50)
    expect(counts.total).toBeGreaterThanOrEqual(hits.length)
    for (const { rank, cursor } of hits) {
      expect(rank.total).toBeLessThanOrEqual(1.15)
      expect(cursor.length).toBeLessThanOrEqual(200)
    }
  })

  it('looks for similar terms of six words at most', () => {
    const mistyped = vocabulary
      .filter((one) => one.length > 8)
      .slice(0, 20)
      .map((one) => `${one.slice(0, 3)}${one.slice(4)}`)
    const { words } = planText(market, mistyped.join(' '))
    expect(words).toHaveLength(20)
    expect(words.filter((one) => one.terms.length > 0).length).toBeLessThanOrEqual(6)
    expect(words.filter((one) => one.terms.length > 0).length).toBeGreaterThan(0)
  })
})

describe('a hostile listing', () => {
  const honest = listing(1, { name: 'Babel', summary: 'Translates contracts between German and English.' })

  it('that repeats one word does not outrank a listing that posts it once in its name', () => {
    const stuffed = listing(2, { summary: 'x', skills: [{ description: 'babel translates '.repeat(3_000) }] })
    expect(ids('babel translates contracts', indexOf([honest, stuffed, listing(3, { summary: 'Draws charts.' })]))[0]).toBe(idOf(1))
  })

  const online = { seenAt: terms.now, hasLeft: false }
  const wordList = 'convert units unit converter metric imperial length weight volume speed pressure kilometre mile pound litre'.split(' ')
  const stuffed = (times: number, change = {}) =>
    listing(50, {
      name: 'Best',
      skills: [{ name: 'Do', description: Array.from({ length: times }, () => wordList.join(' ')).join(' ') }],
      ...change,
    })
  const converter = listing(51, {
    name: 'Meridian',
    summary: 'Converts units of length, weight and volume between the metric and the imperial system.',
    skills: [
      {
        name: 'Convert units',
        id: 'units.convert',
        description: 'Takes a number with a unit and returns it in another unit. Rejects units that do not fit.',
      },
    ],
    presence: online,
  })
  const charts = listing(52, {
    name: 'Atlas Charts',
    summary: 'Draws a chart from a table: lines, bars or points.',
    skills: [
      {
        name: 'Draw a chart',
        id: 'chart.draw',
        description: 'Takes a table with a header and draws it as a chart. Labels axes and marks missing values.',
      },
    ],
    presence: online,
  })
  const oneWord = (change = {}) =>
    listing(53, { name: 'Chart', summary: 'Chart.', skills: [{ name: 'Chart', id: 'chart', description: 'Chart.' }], ...change })
  const textOf = (one: SourceListing, words: string) =>
    searchListings(indexOf([one, honest, charts, converter]), query({ text: words }), scratch).hits.find(
      (hit) => hit.agentId === one.agentId,
    )?.rank.text ?? 0

  it('that repeats its words, or has no others, does not outrank an agent that is online, if it was never connected', () => {
    const embedder = readLocalEmbedder()
    const market = createListingIndex(embedder)
    for (const one of [honest, stuffed(9), converter, charts, oneWord()]) putRecord(market, toIndexRecord(one, embedder))
    expect(ids('convert units', market)[0]).toBe(converter.agentId)
    expect(ids('chart', market)[0]).toBe(charts.agentId)
  })

  it('that repeats a text more than four times gains nothing', () => {
    expect(textOf(stuffed(9), 'convert units')).toBeLessThan(textOf(stuffed(4), 'convert units'))
    expect(textOf(stuffed(2), 'convert units')).toBeGreaterThan(textOf(stuffed(1), 'convert units'))
  })

  it('of one word matches at most as well as one that has the word in all of its fields', () => {
    const name = 'Chart and table and line and axis and label and point'
    const full = listing(54, {
      name,
      handle: 'chart-table-line',
      summary: `${name} ${name}.`,
      skills: [{ name, id: 'chart', description: `${name}. ${name}.` }],
    })
    expect(textOf(oneWord(), 'chart')).toBeLessThanOrEqual(textOf(full, 'chart') + 0.02)
  })

  it('is below a connected one of the same text, also without words; one of another market is not', () => {
    const [never, offline, foreign] = [
      oneWord(),
      oneWord({ agentId: idOf(60), presence: { seenAt: 1, hasLeft: true } }),
      oneWord({ agentId: idOf(61), expiresAt: terms.now + 1 }),
    ]
    const index = indexOf([never, { ...offline, presence: { seenAt: terms.now - 600_000, hasLeft: true } }, foreign])
    expect(ids('chart', index)).toEqual([idOf(60), idOf(61), idOf(53)])
    expect(searchListings(index, query(), scratch).hits.map((hit) => hit.agentId)).toEqual([idOf(60), idOf(61), idOf(53)])
    expect(searchListings(index, query({ text: 'chart' }), scratch).hits.at(-1)?.rank.presence).toBe(-0.002)
  })

  it.each([
    ['thousands of words', Array.from({ length: 8_000 }, (_, n) => `w${n.toString(36)}q`).join(' ')],
    ['64 kB of one run', 'x'.repeat(65_536)],
    ['64 kB of Chinese', '翻译合同法律文件报告图表'.repeat(2_000)],
  ])('of %s takes at most 1,024 terms', (_, description) => {
    const record = toIndexRecord(listing(2, { skills: [{ description }] }))
    expect(record.terms.length).toBeLessThanOrEqual(1_024)
    expect(Math.max(...record.terms.map((one) => one.length))).toBeLessThanOrEqual(40)
    expect(ids('translates', indexOf([honest, listing(2, { skills: [{ description }] })]))).toEqual([idOf(1)])
  })

  it('leaves the index small: a changed listing takes less than 40 kB', () => {
    const index = createListingIndex()
    const description = Array.from({ length: 8_000 }, (_, n) => `w${n.toString(36)}q`).join(' ')
    for (let n = 0; n < 200; n++) putRecord(index, toIndexRecord(listing(n % 4, { skills: [{ description }] })))
    const bytes = index.terms.items.data.byteLength + index.vocabulary.postings.data.byteLength
    expect(bytes / 200).toBeLessThan(40_000)
  })
})

describe('a changed cursor', () => {
  const expiring = indexOf([
    ...Array.from({ length: 30 }, (_, n) => listing(n, { summary: 'Draws charts.' })),
    listing(90, { summary: 'Draws charts.', expiresAt: terms.now - 5_000 }),
  ])

  it.each(searchSorts)('of %s is refused, or gives a page of listings that are not hidden', (sort) => {
    const { hits } = searchListings(expiring, query({ text: 'charts', sort, limit: 12 }), scratch)
    const bytes = Buffer.from(hits.at(-1)?.cursor ?? '', 'base64url')
    for (let at = 0; at < bytes.length; at++)
      for (const bit of [1, 16, 128]) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] as number) ^ bit
        try {
          const page = searchListings(expiring, query({ text: 'charts', sort, after: changed.toString('base64url') }), scratch)
          expect(page.hits.map((hit) => hit.agentId)).not.toContain(idOf(90))
        } catch (error) {
          expect(error).toBeInstanceOf(CursorProblem)
        }
      }
  })

  it('with an earlier time does not bring back an expired listing', () => {
    const cursor = searchListings(expiring, query({ limit: 1 }), scratch).hits[0]?.cursor ?? ''
    const bytes = Buffer.from(cursor, 'base64url')
    bytes.writeUIntBE(terms.now - 10_000, 6, 6)
    const page = searchListings(expiring, query({ after: bytes.toString('base64url') }), scratch)
    expect(page.hits.map((hit) => hit.agentId)).not.toContain(idOf(90))
    expect(page.hits.length).toBeGreaterThan(20)
  })
})
