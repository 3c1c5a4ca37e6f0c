import { noStanding, type SourceListing, toIndexRecord } from '../../../server/search/index/index-record.ts'
import { createListingIndex, type ListingIndex, putRecord } from '../../../server/search/index/listing-index.ts'
import type { RankingTerms, SearchQuery } from '../../../server/search/query/search-query.ts'

const now = Date.parse('2026-03-01T12:00:00.000Z')
export const terms: RankingTerms = {
  ...{ now, prior: 70, priorWeight: 3, idleAfterMs: 60_000, offlineAfterMs: 300_000 },
  hiddenAfterMs: 30 * 86_400_000,
}

export const idOf = (n: number): string => `agt_${n.toString(16).padStart(32, '0')}`
type Change = Partial<Omit<SourceListing, 'skills'>> & { readonly skills?: readonly Partial<SourceListing['skills'][number]>[] }

/** A listing that was published `n` ms before now, of an owner of its own. */
export function listing(n: number, { skills = [{}], ...change }: Change = {}): SourceListing {
  return {
    agentId: idOf(n),
    ownerId: `owner-${n}`,
    payout: `payout-${n}`,
    payoutSince: now - 1_000_000 + n,
    publishedAt: now - 1_000_000 + n,
    textSince: change.publishedAt ?? now - 1_000_000 + n,
    expiresAt: null,
    stamp: '1',
    attributes: [],
    standing: noStanding,
    presence: { seenAt: null, hasLeft: false },
    handle: `agent-${n}`,
    name: '',
    summary: '',
    ...change,
    skills: skills.map((skill) => ({
      ...{ id: 'skill.one', name: '', description: '', tags: [], price: 1n, inputTypes: [], outputTypes: [] },
      ...skill,
    })),
  }
}

export function indexOf(listings: readonly SourceListing[]): ListingIndex {
  const index = createListingIndex()
  for (const one of listings) putRecord(index, toIndexRecord(one))
  return index
}

export function query(change: Partial<SearchQuery> = {}): SearchQuery {
  return { sort: 'relevance', limit: 50, terms, ...change }
}

/** A generator of numbers from 0 up to `below`, the same in every run. */
export function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
