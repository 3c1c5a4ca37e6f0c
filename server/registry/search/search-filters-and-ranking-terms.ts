/** Queries of the protocol in the form of the search index. */
import type { DiscoverQuery } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { marketPrior, priorWeight } from '../../reputation/index.ts'
import type { RankingTerms, SearchFilters } from '../../search/query/search-query.ts'
import { idleAfterMs, offlineAfterMs } from '../presence.ts'

/** Agents unseen for this time are left out of searches. Their pages remain. */
export const hiddenAfterMs = 30 * 86_400_000

export function searchFiltersOf(query: DiscoverQuery): SearchFilters & { readonly text: string | undefined } {
  const values = (value: string | undefined) => (value === undefined ? undefined : [value])
  return {
    text: query.text,
    skillId: query.skill_id,
    outputType: query.output_type,
    inputTypes: query.input_types,
    maxPrice: query.max_price === undefined ? undefined : BigInt(query.max_price),
    online: query.online,
    state: query.state,
    minSuccessRate: query.min_success_rate,
    maxLatencyMs: query.max_latency_ms,
    minScore: query.min_score,
    attributes: {
      currency: values(query.currency && canonicalAsset(query.currency)),
      region: values(query.region),
      protocol: values(query.protocol),
      policy: values(query.policy),
      language: values(query.language),
    },
  }
}

/** Addresses of EVM chains mean the same in any letter case. Listings have them in lower case. */
function canonicalAsset(id: string): string {
  return id.startsWith('eip155:') ? id.toLowerCase() : id
}

export async function rankingTerms(ctx: Context): Promise<RankingTerms> {
  const prior = await marketPrior(ctx)
  return { now: ctx.clock.now().getTime(), prior, priorWeight, idleAfterMs, offlineAfterMs, hiddenAfterMs }
}
