/** Answers searches from PostgreSQL, while a process has no search index. */
import type { DiscoverQuery } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import { serverUnavailable } from '../../errors.ts'
import { marketPrior, scoresSql } from '../../reputation/index.ts'
import { cursorMalformed } from '../errors.ts'
import type { Facet, Facets } from './facet-types.ts'
import { matchingListingsSql } from './matching-listings-sql.ts'

const { sql } = Prisma
type Sort = NonNullable<DiscoverQuery['sort']>
export type FoundListing = { readonly agentId: string; readonly cursor: string }

/** `relevance`: as in the index, the match of the words, plus 0.1 for a full score and 0.05 for presence; -0.05 if never connected. */
const sortKeys: { readonly [sort in Sort]: { readonly key: Prisma.Sql; readonly isAscending: boolean; readonly needsScore: boolean } } = {
  relevance: {
    key: sql`round((f.match + 0.1 * s."score" / 100 + 0.05 * f.alive - 0.05 * f.never)::numeric, 6)`,
    isAscending: false,
    needsScore: true,
  },
  price: { key: sql`f.price::numeric`, isAscending: true, needsScore: false },
  score: { key: sql`round(s."score"::numeric, 6)`, isAscending: false, needsScore: true },
  newest: { key: sql`floor(extract(epoch from f."publishedAt") * 1000)`, isAscending: false, needsScore: false },
  paid_steps: { key: sql`s."paidSteps"::numeric`, isAscending: false, needsScore: true },
}

/** Conditions that only the index can check. */
const indexOnly = [
  'state',
  'min_success_rate',
  'max_latency_ms',
  'min_score',
  'currency',
  'region',
  'protocol',
  'policy',
  'language',
] as const

function requireSupported(query: DiscoverQuery): void {
  const wanted = indexOnly.filter((name) => query[name] !== undefined)
  if (wanted.length > 0) throw serverUnavailable(new Error(`The search index, which ${wanted.join(' and ')} need, is being loaded.`))
}

/** One page. `limit + 1` entries: another page follows. */
export async function searchPostgres(ctx: Context, query: DiscoverQuery): Promise<FoundListing[]> {
  requireSupported(query)
  const sort = query.sort ?? 'relevance'
  const { key, isAscending, needsScore } = sortKeys[sort]
  const cursor = query.after === undefined ? null : readPostgresCursor(query.after, sort)
  const beyond = isAscending ? sql`>` : sql`<`
  const prior = needsScore ? await marketPrior(ctx) : 0
  const rows = await ctx.db.$queryRaw<{ id: string; key: string }[]>`
    with fitting as materialized (${matchingListingsSql(ctx, query)}),
    keyed as (
      select f.id, ${key} as key from fitting f
      ${needsScore ? sql`join (${scoresSql(sql`select id from fitting`, prior)}) s on s."agentId" = f.id` : Prisma.empty}
    )
    select id, key::text as key from keyed
    ${cursor ? sql`where key ${beyond} ${cursor.key}::numeric or (key = ${cursor.key}::numeric and id > ${cursor.id})` : Prisma.empty}
    order by keyed.key ${isAscending ? sql`asc` : sql`desc`}, id asc limit ${query.limit + 1}`
  return rows.map((row) => ({ agentId: row.id, cursor: writeCursor(sort, row) }))
}

/** Cursors of the index are binary. Those of PostgreSQL are JSON, and are continued here. */
export function isPostgresCursor(text: string): boolean {
  return text.startsWith(Buffer.from('["').toString('base64url').slice(0, 2))
}

function writeCursor(sort: Sort, last: { id: string; key: string }): string {
  return Buffer.from(JSON.stringify([sort, last.key, last.id])).toString('base64url')
}

function readPostgresCursor(text: string, sort: Sort): { key: string; id: string } {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw cursorMalformed()
  }
  if (!Array.isArray(value)) throw cursorMalformed()
  const [madeFor, key, id] = value as unknown[]
  if (madeFor !== sort || typeof key !== 'string' || typeof id !== 'string') throw cursorMalformed()
  if (!/^-?\d{1,30}(\.\d{1,10})?$/.test(key) || !/^agt_[0-9a-f]{32}$/.test(id)) throw cursorMalformed()
  return { key, id }
}

/** The counts of the facets that PostgreSQL can compute; none of attributes. */
export async function countInPostgres(ctx: Context, query: DiscoverQuery, limits: readonly bigint[], maxFacets: number): Promise<Facets> {
  requireSupported(query)
  const without = (facet: keyof DiscoverQuery) =>
    matchingListingsSql(ctx, Object.fromEntries(Object.entries(query).filter(([key]) => key !== facet)) as DiscoverQuery)
  const { db } = ctx
  const [totals, online, skills, outputTypes, prices] = await Promise.all([
    db.$queryRaw<{ n: number }[]>`select count(*)::int as n from (${matchingListingsSql(ctx, query)}) f`,
    db.$queryRaw<{ n: number }[]>`select count(*) filter (where f.alive = 1)::int as n from (${without('online')}) f`,
    db.$queryRaw<Facet[]>`
      select s."skillId" as value, mode() within group (order by s."name") as label, count(distinct f.id)::int as count
      from (${without('skill_id')}) f join "listing_skill" s on s."agentId" = f.id
      group by 1 order by 3 desc, 1 limit ${maxFacets}`,
    db.$queryRaw<Facet[]>`
      select t as value, t as label, count(distinct f.id)::int as count
      from (${without('output_type')}) f join "listing_skill" s on s."agentId" = f.id cross join lateral unnest(s."outputTypes") as t
      group by 1 order by 3 desc, 1 limit ${maxFacets}`,
    db.$queryRaw<Facet[]>`
      select top::text as value, top::text as label, count(f.id)::int as count
      from unnest(${[...limits]}::bigint[]) as top left join (${without('max_price')}) f on f.price <= top
      group by top order by top`,
  ])
  return { total: totals[0]?.n ?? 0, online: online[0]?.n ?? 0, skills, output_types: outputTypes, prices, attributes: {} }
}
