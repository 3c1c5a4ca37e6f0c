import type { DiscoverQuery, Listing, ListingRank, Score } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { limitPageBytes } from '../../db/limit-page-bytes.ts'
import { activeRules, isAllowed, permit } from '../../policy/index.ts'
import { scoreFromSums } from '../../reputation/index.ts'
import type { Rank } from '../../search/query/search-query.ts'
import { cursorMalformed } from '../errors.ts'
import { loadListings } from '../listings/listing-store.ts'
import { type FoundListing, isPostgresCursor, searchPostgres } from './postgres-search.ts'
import { rankingTerms, searchFiltersOf } from './search-filters-and-ranking-terms.ts'

/** `ranks`: for each listing why it has its place; empty while the process has no search index. */
export type Discovered = { listings: Listing[]; next: string | null; ranks: ListingRank[] }
/** `scores`: of all found listings, if the index answered. */
type Found = {
  readonly found: readonly (FoundListing & { readonly rank?: Rank; readonly skillId?: string | null })[]
  readonly isLast: boolean
  readonly scores?: ReadonlyMap<string, Score>
}

/**
 * Searches listings, one page at a time. `readme` and `samples` are empty, so that a page fits into one frame. A listing that does not
 * change is on exactly one page; one that changes between two pages may appear twice or not at all. Graceful degradation: without a
 * search index, PostgreSQL answers.
 */
export async function discoverListings(ctx: Context, query: DiscoverQuery): Promise<Discovered> {
  await permit(ctx, 'listing.discover')
  const { found, isLast, scores } = await find(ctx, query)
  const ids = found.map(({ agentId }) => agentId)
  const [listings, rules] = await Promise.all([loadListings(ctx, ids, { isShort: true, scores }), activeRules(ctx)])
  // A page may be shorter than the limit. The next page follows nevertheless.
  const seen = listings.filter(
    ({ agent_id, did, owner_id, skills, withdrawn_at }) =>
      // The listing may have been withdrawn since the search.
      withdrawn_at === null &&
      isAllowed(ctx, rules, {
        ...{ point: 'retrieve', kind: 'agent', agent_ids: [agent_id], dids: [did, owner_id] },
        skill_ids: skills.map((skill) => skill.id),
      }),
  )
  const page = limitPageBytes(seen)
  const byId = new Map(found.map((one) => [one.agentId, one]))
  const last = page.length < seen.length ? byId.get(page.at(-1)?.agent_id ?? '') : isLast ? undefined : found.at(-1)
  const ranks = page.flatMap(({ agent_id }) => {
    const { rank, skillId } = byId.get(agent_id) ?? {}
    return rank ? [{ ...rankOf(rank), ...(skillId && { skill_id: skillId }) }] : []
  })
  return { listings: page, next: last?.cursor ?? null, ranks }
}

async function find(ctx: Context, query: DiscoverQuery): Promise<Found> {
  if (query.after === undefined || !isPostgresCursor(query.after)) {
    const { limit, after, sort = 'relevance' } = query
    const terms = await rankingTerms(ctx)
    const answer = await ctx.ports.search.search({ ...searchFiltersOf(query), sort, limit, after, terms })
    if (answer === 'cursor') throw cursorMalformed()
    if (answer !== 'unready') {
      const scores = new Map(answer.hits.map(({ agentId, standing }) => [agentId, scoreFromSums(standing, terms.prior)]))
      return { found: answer.hits, isLast: answer.isLast, scores }
    }
  }
  const found = await searchPostgres(ctx, query)
  return { found: found.slice(0, query.limit), isLast: found.length <= query.limit }
}

function rankOf(rank: Rank): ListingRank {
  const { total, text, meaning, reputation, presence, words, demotedBy, isBeforeHigher, isAdvertised } = rank
  return {
    ...{ total, text, reputation, presence, demoted: demotedBy !== null },
    ...(demotedBy !== null && { demoted_by: demotedBy }),
    ...(isBeforeHigher && { before_higher: true }),
    words: words.map(({ word, kind, as }) => ({ word, match: kind, ...(as !== undefined && { as }) })),
    ...(meaning !== null && { meaning }),
    ...(isAdvertised && { advertised: true }),
  }
}
