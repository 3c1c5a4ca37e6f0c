import { describe, expect, it } from 'vitest'
import { type SourceListing, toIndexRecord } from '../../../../server/search/index/index-record.ts'
import { type ListingIndex, putRecord, removeListing } from '../../../../server/search/index/listing-index.ts'
import { createScratch, facetsOf, searchListings } from '../../../../server/search/query/search-listings.ts'
import { CursorProblem, type SearchQuery, searchSorts } from '../../../../server/search/query/search-query.ts'
import { idOf, indexOf, listing, numbers, query, terms } from '../sample-listings.ts'

const scratch = createScratch()
const search = (index: ListingIndex, change: Partial<SearchQuery>) => searchListings(index, query(change), scratch)
const ids = (index: ListingIndex, change: Partial<SearchQuery>) => search(index, change).hits.map((hit) => hit.agentId)

/** All pages of a search. `between` runs after each page. */
function allPages(index: ListingIndex, change: Partial<SearchQuery>, between = (_page: number) => {}): string[] {
  const found: string[] = []
  let after: string | undefined
  for (let page = 0; page < 1_000; page++) {
    const { hits, isLast } = search(index, { ...change, after })
    found.push(...hits.map((hit) => hit.agentId))
    if (isLast) return found
    after = hits.at(-1)?.cursor
    between(page)
  }
  throw new Error('The pages do not end.')
}

const kinds = ['table', 'chart', 'report', 'audio']
function market(count: number, seed = 11): SourceListing[] {
  const below = numbers(seed)
  const pick = <T>(list: readonly T[]) => list[below(list.length)] as T
  return Array.from({ length: count }, (_, n) =>
    listing(n, {
      ownerId: `owner-${below(count)}`,
      summary: Array.from({ length: 8 }, () => pick(['draw', 'read', 'write', 'translate', 'sell', 'count', 'sing', 'plan'])).join(' '),
      attributes: below(3) > 0 ? [`language:${pick(['de', 'en', 'fr'])}`, `region:${pick(['DE', 'US'])}`] : [],
      standing: {
        ...{ ratings: 4, sum: 0, total: below(400), judges: 4, paidSteps: below(5), payers: below(3), failedSteps: below(3) },
        latencyMs: below(2) ? below(9_000) : null,
      },
      presence: { seenAt: below(4) ? terms.now - below(400_000) : null, hasLeft: below(5) === 0 },
      skills: Array.from({ length: 1 + below(3) }, () => ({
        ...{ id: `${pick(kinds)}.make`, price: BigInt(below(50)), outputTypes: [pick(kinds)] },
        inputTypes: below(2) ? [pick(kinds)] : [],
      })),
    }),
  )
}

/** Whether a listing matches, by the definition of the filters. */
function matches({ skills, standing, presence, attributes }: SourceListing, asked: Partial<SearchQuery>): boolean {
  const silent = presence.seenAt === null || presence.hasLeft ? Number.POSITIVE_INFINITY : terms.now - presence.seenAt
  const state = silent <= 60_000 ? 'online' : silent <= 300_000 ? 'idle' : 'offline'
  const score = (standing.total + terms.prior * 3) / (standing.judges + 3)
  const ended = standing.paidSteps + standing.failedSteps
  return (
    (!asked.online || state === 'online') &&
    (asked.state === undefined || state === asked.state) &&
    (asked.minScore === undefined || (standing.judges > 0 && score >= asked.minScore)) &&
    (asked.minSuccessRate === undefined || (ended > 0 && standing.paidSteps / ended >= asked.minSuccessRate)) &&
    (asked.maxLatencyMs === undefined || (standing.latencyMs !== null && standing.latencyMs <= asked.maxLatencyMs)) &&
    Object.entries(asked.attributes ?? {}).every(([kind, values]) =>
      (values ?? []).every((one) => attributes.includes(`${kind}:${one}`)),
    ) &&
    skills.some(
      (skill) =>
        (asked.skillId === undefined || skill.id === asked.skillId) &&
        (asked.outputType === undefined || skill.outputTypes.includes(asked.outputType)) &&
        (asked.inputTypes === undefined || skill.inputTypes.every((type) => asked.inputTypes?.includes(type))) &&
        (asked.maxPrice === undefined || skill.price <= asked.maxPrice),
    )
  )
}

/** Each filter alone, and random pairs and triples. */
function filterSamples(): Partial<SearchQuery>[] {
  const single: Partial<SearchQuery>[] = [
    ...[{ online: true }, { state: 'idle' }, { state: 'offline' }, { minScore: 60 }, { minSuccessRate: 0.5 }, { maxLatencyMs: 4_000 }],
    ...[
      { skillId: 'chart.make' },
      { skillId: 'no.such' },
      { outputType: 'report' },
      { inputTypes: [] },
      { inputTypes: ['table', 'chart'] },
    ],
    ...[{ maxPrice: 10n }, { attributes: { language: ['de'] } }, { attributes: { region: ['US'], language: ['en'] } }],
  ] as Partial<SearchQuery>[]
  const below = numbers(2)
  const some = () => Object.assign({}, ...Array.from({ length: 2 + below(2) }, () => single[below(single.length)])) as Partial<SearchQuery>
  return [...single, ...Array.from({ length: 60 }, some)]
}

const all = market(400)
const index = indexOf(all)

describe('filters', () => {
  it.each(filterSamples().map((one) => [JSON.stringify(one, (_, v) => (typeof v === 'bigint' ? Number(v) : v)), one] as const))(
    'of %s let exactly the matching listings through',
    (_, asked) => {
      const wanted = all.filter((one) => matches(one, asked)).map((one) => one.agentId)
      expect(ids(index, { ...asked, limit: 1_000 }).sort()).toEqual(wanted.sort())
      const counts = facetsOf(index, { ...query(asked), priceLimits: [], maxValues: 40 }, scratch)
      expect(counts.total).toBe(wanted.length)
    },
  )

  it('let through prices that differ by less than the precision of a float', () => {
    const price = 2n ** 60n
    const close = indexOf([listing(1, { skills: [{ price }] }), listing(2, { skills: [{ price: price + 1n }] })])
    expect(ids(close, { maxPrice: price })).toEqual([idOf(1)])
    expect(ids(close, { sort: 'price' })).toEqual([idOf(1), idOf(2)])
  })
})

describe('a minimum score', () => {
  it('is not met by an agent without judgements, of which the score is not known', () => {
    const judged = { ratings: 1, sum: 90, total: 90, judges: 1, paidSteps: 1, payers: 1, failedSteps: 0, latencyMs: null }
    const scored = indexOf([listing(1), listing(2, { standing: judged })])
    expect(ids(scored, { minScore: 0 })).toEqual([idOf(2)])
    expect(ids(scored, { minScore: 70 })).toEqual([idOf(2)])
    expect(ids(scored, {}).sort()).toEqual([idOf(1), idOf(2)])
  })
})

describe('a language', () => {
  it('includes its regional forms, and no other language', () => {
    const of = (n: number, language: string) => listing(n, { attributes: [`language:${language}`] })
    const tongues = indexOf([of(1, 'pt'), of(2, 'pt-br'), of(3, 'ptx'), of(4, 'de')])
    expect(ids(tongues, { attributes: { language: ['pt'] } }).sort()).toEqual([idOf(1), idOf(2)])
    expect(ids(tongues, { attributes: { language: ['pt-br'] } }).sort()).toEqual([idOf(1), idOf(2)])
    expect(ids(tongues, { attributes: { language: ['pt-pt'] } })).toEqual([idOf(1)])
    expect(ids(tongues, { attributes: { language: ['fr'] } })).toEqual([])
  })

  it('find the current version of a listing only', () => {
    const changed = indexOf([1, 2, 3, 4].map((n) => listing(n, { attributes: ['region:FR'] })))
    putRecord(changed, toIndexRecord(listing(2, { attributes: ['region:DE'] })))
    removeListing(changed, idOf(3))
    expect(ids(changed, { attributes: { region: ['FR'] } }).sort()).toEqual([idOf(1), idOf(4)])
    expect(ids(changed, { attributes: { region: ['DE'] } })).toEqual([idOf(2)])
  })
})

describe('facets', () => {
  it.each([
    [{}],
    [{ online: true, minScore: 60 }],
    [{ attributes: { language: ['de'] } }],
    [{ outputType: 'chart', maxPrice: 30n, attributes: { language: ['de'] } }],
    [{ skillId: 'chart.make', online: true }],
  ] as Partial<SearchQuery>[][])('beside %o count what choosing a value would find', (asked = {}) => {
    const counts = facetsOf(index, { ...query(asked), priceLimits: [5n, 20n, 49n], maxValues: 40 }, scratch)
    const total = (change: Partial<SearchQuery>) => ids(index, { ...asked, ...change, limit: 1_000 }).length
    for (const { value, count } of counts.skills) expect(count, value).toBe(total({ skillId: value }))
    for (const { value, count } of counts.outputTypes) expect(count, value).toBe(total({ outputType: value }))
    expect(counts.prices).toEqual([5n, 20n, 49n].map((maxPrice) => total({ maxPrice })))
    expect(counts.online).toBe(total({ online: true }))
    for (const { value, count } of counts.attributes.language) expect(count, value).toBe(total({ attributes: { language: [value] } }))
    for (const { value, count } of counts.attributes.region)
      expect(count, value).toBe(total({ attributes: { ...asked.attributes, region: [value] } }))
    expect(counts.skills.length + counts.attributes.language.length).toBeGreaterThan(4)
  })
})

describe('a listing without a skill', () => {
  it('is in no result and no count', () => {
    const bare = indexOf([listing(1, { attributes: ['region:FR'] }), listing(2, { attributes: ['region:FR'], skills: [] })])
    expect(ids(bare, {})).toEqual([idOf(1)])
    expect(ids(bare, { attributes: { region: ['FR'] } })).toEqual([idOf(1)])
    const counts = facetsOf(bare, { ...query({}), priceLimits: [], maxValues: 40 }, scratch)
    expect(counts.total).toBe(1)
    expect(counts.attributes.region).toEqual([{ value: 'FR', label: 'FR', count: 1 }])
  })
})

describe('words', () => {
  const library = indexOf([
    listing(1, { name: 'Babel', summary: 'Does translate texts between languages.' }),
    listing(2, { name: 'Plotter', summary: 'Draws charts of annual revenue.' }),
    listing(3, { name: 'Charts', summary: 'Charts, charts and charts.' }),
  ])

  it.each([
    ['tranlate', 1],
    ['langauges', 1],
    ['transl', 1],
    ['TRANSLATION', 1],
    ['revenu of microsoft', 2],
    ['chart', 3],
  ])('%j finds %d first', (text, n) => {
    expect(ids(library, { text })[0]).toBe(idOf(n))
  })

  it('are explained: which were found, and as what', () => {
    const words = (text: string) => search(library, { text }).hits[0]?.rank.words
    expect(words('annual revnue of microsoft')).toEqual([
      { word: 'annual', kind: 'exact' },
      { word: 'revnue', kind: 'typo', as: 'revenu' },
    ])
    expect(words('transl')).toEqual([{ word: 'transl', kind: 'prefix', as: 'translat' }])
  })

  it('add up to the total of the rank', () => {
    for (const { rank } of search(index, { text: 'draw and translate' }).hits) {
      expect(rank.total).toBeCloseTo(rank.text + rank.reputation + rank.presence, 3)
      expect(rank.text).toBeGreaterThan(0)
      expect(rank.text).toBeLessThanOrEqual(1)
    }
  })

  it('that no one has find nothing', () => {
    for (const text of ['photosynthesis', '🙂', '!?']) expect(search(library, { text })).toEqual({ hits: [], isLast: true })
    expect(ids(library, { text: ' ' })).toHaveLength(3)
  })
})

describe('pages', () => {
  it.each(searchSorts.flatMap((sort) => [undefined, 'draw or sing'].map((text) => [sort, text] as const)))(
    'of %s for %j give every listing once',
    (sort, text) => {
      const whole = ids(index, { sort, text, limit: 1_000 })
      for (const limit of [1, 3, 7, 24]) expect(allPages(index, { sort, text, limit })).toEqual(whole)
    },
  )

  it.each(searchSorts)('of %s give each unchanged listing once while others come, change and go', (sort) => {
    const below = numbers(21)
    const source = market(300)
    const changing = indexOf(source)
    const touched = new Set<string>()
    const found = allPages(changing, { sort, text: 'draw or plan', limit: 7 }, () => {
      for (let i = 0; i < 5; i++) {
        const n = below(60)
        touched.add(idOf(n))
        if (below(2)) removeListing(changing, idOf(n))
        else putRecord(changing, toIndexRecord(listing(n, { summary: 'draw plan draw' })))
      }
      for (const one of market(3, below(1e6))) {
        const agentId = `agt_${below(2 ** 30)
          .toString(16)
          .padStart(32, 'f')}`
        touched.add(agentId)
        putRecord(changing, toIndexRecord({ ...one, agentId }))
      }
    })
    const steady = found.filter((id) => !touched.has(id))
    const wanted = ids(indexOf(source), { sort, text: 'draw or plan', limit: 1_000 }).filter((id) => !touched.has(id))
    expect(steady.sort()).toEqual(wanted.sort())
  })

  it('refuse a cursor of another query', () => {
    const { hits } = search(index, { text: 'draw', limit: 2 })
    const after = hits[1]?.cursor as string
    expect(after.length).toBeLessThanOrEqual(200)
    for (const change of [
      { text: 'sing' },
      { text: 'draw', sort: 'price' },
      { text: 'draw', online: true },
      { text: 'draw', after: 'x' },
    ] as const)
      expect(() => search(index, { after, ...change })).toThrow(CursorProblem)
    expect(search(index, { text: 'draw', limit: 30, after }).hits).toHaveLength(30)
  })

  it('have short cursors for the longest query', () => {
    const text = Array.from({ length: 40 }, (_, n) => `draw${n} sing${n}`).join(' ')
    const long = indexOf(market(40).map((one) => ({ ...one, summary: text })))
    for (const { cursor } of search(long, { text, limit: 40 }).hits) expect(cursor.length).toBeLessThanOrEqual(200)
  })
})

describe('hidden listings', () => {
  it('are those unseen for long, and foreign ones whose statement has expired', () => {
    const old = terms.now - terms.hiddenAfterMs - 1
    const some = indexOf([
      listing(1, { publishedAt: old }),
      listing(2, { publishedAt: old, presence: { seenAt: terms.now - terms.hiddenAfterMs, hasLeft: true } }),
      listing(3, { expiresAt: terms.now }),
      listing(4, { expiresAt: terms.now + 1, publishedAt: old }),
    ])
    expect(ids(some, {}).sort()).toEqual([idOf(2), idOf(4)])
    expect(facetsOf(some, { ...query(), priceLimits: [], maxValues: 9 }, scratch).total).toBe(2)
  })
})
