import type { DiscoverQuery } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { matchingListingsSql, withSearchThreshold } from './search-query.ts'

export type Facet = { readonly value: string; readonly label: string; readonly count: number }
export type Facets = {
  /** The number of listings that match the whole query. */
  readonly total: number
  /** Each facet ignores its own filter, so that the other choices show their counts. */
  readonly online: number
  readonly skills: readonly Facet[]
  readonly output_types: readonly Facet[]
  /** `value`: a `max_price` in base units. */
  readonly prices: readonly Facet[]
}

/** The offered price limits, in hundredths of the settlement asset. */
const priceSteps = [0, 10, 25, 50, 100, 200, 500, 1_000]
const maxFacets = 40

/** The number of matches for each further filter. */
export async function listFacets(ctx: Context, query: DiscoverQuery): Promise<Facets> {
  const without = (facet: keyof DiscoverQuery) =>
    matchingListingsSql(ctx, Object.fromEntries(Object.entries(query).filter(([key]) => key !== facet)) as DiscoverQuery)
  const unit = 10n ** BigInt(ctx.market.decimals)
  const limits = priceSteps.map((hundredths) => (BigInt(hundredths) * unit) / 100n)
  const [totals, online, skills, outputTypes, prices] = await withSearchThreshold(
    ctx,
    async ({ db }) =>
      [
        await db.$queryRaw<{ n: number }[]>`select count(*)::int as n from (${matchingListingsSql(ctx, query)}) f`,
        await db.$queryRaw<{ n: number }[]>`select count(*) filter (where f.alive = 1)::int as n from (${without('online')}) f`,
        await db.$queryRaw<Facet[]>`
      select s."skillId" as value, mode() within group (order by s."name") as label, count(distinct f.id)::int as count
      from (${without('skill_id')}) f join "listing_skill" s on s."agentId" = f.id
      group by 1 order by 3 desc, 1 limit ${maxFacets}`,
        await db.$queryRaw<Facet[]>`
      select t as value, t as label, count(distinct f.id)::int as count
      from (${without('output_type')}) f join "listing_skill" s on s."agentId" = f.id cross join lateral unnest(s."outputTypes") as t
      group by 1 order by 3 desc, 1 limit ${maxFacets}`,
        await db.$queryRaw<Facet[]>`
      select top::text as value, top::text as label, count(f.id)::int as count
      from unnest(${limits}::bigint[]) as top left join (${without('max_price')}) f on f.price <= top
      group by top order by top`,
      ] as const,
  )
  return {
    total: totals[0]?.n ?? 0,
    online: online[0]?.n ?? 0,
    skills,
    output_types: outputTypes,
    prices: prices.filter((price, index) => price.count > (prices[index - 1]?.count ?? 0)),
  }
}
