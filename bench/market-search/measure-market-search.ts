/** The public query at one size of the market, compared with the previous implementation and PostgreSQL's full text. */
import { DiscoverQuery, type Listing } from '@parley/protocol'
import { composeServices, type Services } from '../../server/compose.ts'
import type { Context } from '../../server/context.ts'
import { readEnvironment } from '../../server/env.ts'
import { discoverListings, listFacets } from '../../server/registry/index.ts'
import { rankingTerms, searchFiltersOf } from '../../server/registry/search/search-filters-and-ranking-terms.ts'
import { bareHub } from '../../test/support/bare-hub-environment.ts'
import { cpuSeconds } from '../hub/start-process.ts'
import { createExactSearch, recallAtTen } from './exact-search.ts'
import { discoverListings as discoverBefore } from './previous/discover-listings.ts'
import { createRandom, knownItemQueries, listingOf, marketDay, queryText, type Random } from './synthetic-listings.ts'

type Database = Context['db']
export type Latency = { readonly p50: number; readonly p99: number; readonly n: number }
export type MarketFigures = {
  readonly listings: number
  readonly start_s: number
  readonly index_mib: number
  /** By the share of listings that the filters let through. */
  readonly latency: { readonly [kind: string]: Latency }
  readonly queries_per_core_s: number
  readonly recall: number
  readonly known_item: KnownItemFigures
  readonly fresh_ms: number
  readonly before: Latency | null
  readonly full_text: Latency
}
/** The share of known items among the first ten; null for an implementation that answers too late. */
export type KnownItemFigures = { readonly index: number; readonly before: number | null; readonly full_text: number }
/** `rounds`: queries for each kind of filter. */
export type MarketOptions = { readonly url: string; readonly size: number; readonly rounds: number }

const round = (value: number, digits = 2) => Number(value.toFixed(digits))
/** The filters, named by the share of listings that they let through. */
const filters: { readonly [name: string]: (random: Random, asset: string) => Partial<DiscoverQuery> } = {
  none: () => ({}),
  all: (_, asset) => ({ currency: asset }),
  half: () => ({ online: true }),
  tenth: (random) => ({ language: random.pick(['de', 'fr', 'es', 'ja', 'ar']) }),
  hundredth: (random) => ({ language: 'de', output_type: `report.${random.pick(['text', 'chart', 'code'])}`, max_price: '3000000' }),
  thousandth: () => ({ region: 'FR', language: 'ar', output_type: 'report.audio', max_price: '1000000' }),
  no_words: () => ({}),
  no_words_hundredth: () => ({ language: 'ja', output_type: 'report.image', max_price: '3000000' }),
  facets: () => ({}),
}

/** Opens the services of one process on a planted database, and waits until its index is loaded. */
export async function openMarket(url: string): Promise<{ world: Services; ctx: Context; startSeconds: number }> {
  const clock = { now: () => new Date(marketDay) }
  const world = await composeServices('hub', readEnvironment(bareHub(url)), { clock })
  const ctx = world.contextFor({ kind: 'anonymous' })
  const begun = performance.now()
  ctx.ports.search.start()
  while ((await ctx.ports.search.metrics()).ageMs === null)
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  return { world, ctx, startSeconds: (performance.now() - begun) / 1_000 }
}

export async function measureMarket({ url, size, rounds }: MarketOptions): Promise<MarketFigures> {
  const { world, ctx, startSeconds } = await openMarket(url)
  const indexMib = (await ctx.ports.search.metrics()).heapBytes / 2 ** 20
  const latency: Record<string, Latency> = {}
  for (const [name, filter] of Object.entries(filters)) {
    const random = createRandom(name.length * 7_919)
    const queryOf = () =>
      publicQuery({ ...filter(random, ctx.market.asset), ...(name.startsWith('no_words') ? {} : { text: queryText(random) }) })
    const ask = (query: DiscoverQuery) => (name === 'facets' ? listFacets(ctx, query) : discoverListings(ctx, query))
    for (let warm = 0; warm < 30; warm++) await ask(queryOf())
    latency[name] = await timed(rounds, () => ask(queryOf()))
  }
  const own = {
    ...{ listings: size, start_s: round(startSeconds), index_mib: round(indexMib, 0), latency },
    queries_per_core_s: await throughput(ctx, rounds),
    recall: await recall(ctx, size),
    fresh_ms: await freshness(url, ctx),
  }
  // The references take minutes in a large market.
  console.log(`  ${JSON.stringify(own)}`)
  const figures = {
    ...own,
    known_item: await knownItems(ctx, size, rounds),
    before: await before(ctx, size),
    full_text: await fullText(ctx.db, fullTextQueries(size, Math.min(rounds, 60))),
  }
  await world.close()
  return figures
}

function publicQuery(query: Partial<DiscoverQuery>): DiscoverQuery {
  return DiscoverQuery.parse({ limit: 10, ...query })
}

async function timed(count: number, work: () => Promise<unknown>): Promise<Latency> {
  const took: number[] = []
  for (let i = 0; i < count; i++) {
    const begun = performance.now()
    await work()
    took.push(performance.now() - begun)
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => round(took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0)
  return { p50: at(0.5), p99: at(0.99), n: count }
}

/** Queries per second of computing, of this process with its threads. The database's own processes are not counted. */
async function throughput(ctx: Context, rounds: number): Promise<number> {
  const random = createRandom(4)
  const begun = cpuSeconds(process.pid)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < rounds / 2; i++) await discoverListings(ctx, publicQuery({ text: queryText(random) }))
    }),
  )
  return round((8 * Math.ceil(rounds / 2)) / (cpuSeconds(process.pid) - begun), 0)
}

/** The share of the ten best by exact search that are on the first page. */
async function recall(ctx: Context, size: number): Promise<number> {
  const listings = Array.from({ length: size }, (_, n) => listingOf(n, ctx.market.asset))
  const exact = createExactSearch(listings)
  const random = createRandom(12)
  const shares: number[] = []
  const terms = await rankingTerms(ctx)
  for (let i = 0; shares.length < 40 && i < 200; i++) {
    const filter = Object.values(filters)[i % 5]?.(random, ctx.market.asset)
    const query = publicQuery({ ...filter, text: queryText(random), limit: 50 })
    const totals = exact.totals({ ...searchFiltersOf(query), sort: 'relevance', limit: 50, terms })
    if (totals === null) continue
    const { listings: found, ranks } = await discoverListings(ctx, query)
    const ids = found.map((one, index) => ({ id: one.agent_id, total: ranks[index]?.total ?? 0 }))
    // Flood protection moves listings behind the first ten, and not out of the results.
    ids.sort((a, b) => b.total - a.total)
    shares.push(
      recallAtTen(
        ids.map(({ id }) => id),
        totals,
      ),
    )
  }
  return round(shares.reduce((sum, one) => sum + one, 0) / shares.length, 4)
}

/** How often a query that describes one listing finds it, by each implementation. */
async function knownItems(ctx: Context, size: number, rounds: number): Promise<KnownItemFigures> {
  const wanted = knownItemQueries(size, ctx.market.asset, rounds)
  const shareOf = async (count: number, find: (text: string) => Promise<readonly string[]>) => {
    let hits = 0
    for (const { agentId, text } of wanted.slice(0, count)) if ((await find(text)).includes(agentId)) hits++
    return round(hits / Math.min(count, wanted.length), 3)
  }
  const idsOf = ({ listings }: { listings: readonly Listing[] }) => listings.map((one) => one.agent_id)
  await createFullText(ctx.db)
  return {
    index: await shareOf(rounds, async (text) => idsOf(await discoverListings(ctx, publicQuery({ text })))),
    before: size > 2_000 ? null : await shareOf(60, async (text) => idsOf(await discoverBefore(ctx, publicQuery({ text })))),
    full_text: await shareOf(fullTextQueries(size, rounds), (text) => findFullText(ctx.db, text)),
  }
}

/** How long after its commit by another process a change is found, at most. */
async function freshness(url: string, ctx: Context): Promise<number> {
  const writer = await composeServices('hub', readEnvironment(bareHub(url)), { clock: { now: () => new Date(marketDay) } })
  let longest = 0
  try {
    const system = writer.contextFor({ kind: 'system', name: 'setup' })
    for (let i = 0; i < 10; i++) {
      const { agentId: id, name } = listingOf(i, '')
      const rename = (to: string) => system.db.listing.update({ where: { agentId: id }, data: { name: to } })
      await rename(`freshword${i}x`)
      const begun = performance.now()
      for (;;) {
        const { listings } = await discoverListings(ctx, publicQuery({ text: `freshword${i}x` }))
        if (listings[0]?.agent_id === id) break
      }
      longest = Math.max(longest, performance.now() - begun)
      await rename(name)
    }
  } finally {
    await writer.close()
  }
  return round(longest)
}

/** The previous implementation, which no larger market can ask: its transaction ends after 20 s. */
async function before(ctx: Context, size: number): Promise<Latency | null> {
  const random = createRandom(4)
  try {
    return await timed(size > 20_000 ? 1 : size > 2_000 ? 10 : 30, () => discoverBefore(ctx, publicQuery({ text: queryText(random) })))
  } catch {
    return null
  }
}

/** In a large market each takes seconds, and their number would take most of the time of the benchmark. */
const fullTextQueries = (size: number, rounds: number) => Math.min(rounds, size > 20_000 ? 20 : rounds)

/** PostgreSQL's full text: any word, ranked by `ts_rank`, from a GIN index. Ids only. */
async function fullText(db: Database, rounds: number): Promise<Latency> {
  const random = createRandom(4)
  return timed(rounds, () => findFullText(db, queryText(random)))
}

async function createFullText(db: Database): Promise<void> {
  await db.$executeRawUnsafe(`create index if not exists bench_full_text on "listing" using gin (to_tsvector('english', "searchText"))`)
  await db.$executeRawUnsafe('analyze "listing"')
}

async function findFullText(db: Database, text: string): Promise<string[]> {
  const words = text.match(/\p{L}+/gu) ?? []
  const rows = await db.$queryRaw<{ agentId: string }[]>`
    select "agentId", ts_rank(to_tsvector('english', "searchText"), q, 1)::float8 as rank
    from "listing", to_tsquery('english', ${words.join(' | ')}) q
    where to_tsvector('english', "searchText") @@ q order by 2 desc limit 10`
  return rows.map((row) => row.agentId)
}
