import type { ListingSearch } from '../../server/search/listing-search.ts'

/** For tests without a search index: PostgreSQL answers. */
export const nullSearch: ListingSearch = {
  start: () => undefined,
  search: async () => 'unready',
  countFacets: async () => 'unready',
  metrics: async () => ({ listings: 0, ageMs: null, heapBytes: 0, seconds: { upTo: [], counts: [], sum: 0, count: 0 }, unanswered: 0 }),
  close: async () => {},
}
