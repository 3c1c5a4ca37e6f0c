import type { DiscoverQuery } from '@parley/protocol'
import type { Context } from '../../context.ts'
import type { FacetCounts } from '../../search/query/search-query.ts'
import type { Facets } from './facet-types.ts'
import { countInPostgres } from './postgres-search.ts'
import { rankingTerms, searchFiltersOf } from './search-filters-and-ranking-terms.ts'

/** The offered price limits, in hundredths of the settlement asset. */
const priceSteps = [0, 10, 25, 50, 100, 200, 500, 1_000]
const maxFacets = 40

/** The number of matches for each further filter. */
export async function listFacets(ctx: Context, query: DiscoverQuery): Promise<Facets> {
  const unit = 10n ** BigInt(ctx.market.decimals)
  const limits = priceSteps.map((hundredths) => (BigInt(hundredths) * unit) / 100n)
  const asked = { ...searchFiltersOf(query), terms: await rankingTerms(ctx), priceLimits: limits, maxValues: maxFacets }
  const counts = await ctx.ports.search.countFacets(asked)
  const facets = typeof counts === 'string' ? await countInPostgres(ctx, query, limits, maxFacets) : facetsOf(counts, limits)
  // A limit that lets no further listing in is no choice.
  return { ...facets, prices: facets.prices.filter((price, index) => price.count > (facets.prices[index - 1]?.count ?? 0)) }
}

function facetsOf({ total, online, skills, outputTypes, prices, attributes }: FacetCounts, limits: readonly bigint[]): Facets {
  return {
    ...{ total, online, skills, output_types: outputTypes },
    prices: limits.map((limit, index) => ({ value: limit.toString(), label: limit.toString(), count: prices[index] ?? 0 })),
    attributes: Object.fromEntries(Object.entries(attributes).filter(([, values]) => values.length > 0)),
  }
}
