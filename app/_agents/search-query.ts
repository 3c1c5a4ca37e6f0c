import { DiscoverQuery, parseAmount } from '@parley/protocol'

export const sorts = ['relevance', 'score', 'paid_steps', 'price', 'newest'] as const
type Sort = (typeof sorts)[number]

/** Filters by a value that listings have. Each is a facet with counts. */
export const facetFilters = ['skill', 'output', 'language', 'region', 'protocol', 'policy'] as const
export type FacetFilter = (typeof facetFilters)[number]
/** Filters by a limit, with the offered limits: a score of 100, a percentage of paid steps, seconds. */
export const limitFilters = {
  min_score: ['50', '70', '90'],
  min_success: ['50', '80', '95'],
  max_latency: ['60', '600', '3600', '86400'],
} as const
export type LimitFilter = keyof typeof limitFilters
export const limitFilterNames = Object.keys(limitFilters) as LimitFilter[]

export function isLimitFilter(name: string): name is LimitFilter {
  return name in limitFilters
}

/** The state of the directory in its URL, so that a copied URL restores the view. An empty text: no filter. */
export type Search = {
  readonly q: string
  readonly max: string
  readonly online: boolean
  readonly sort: Sort
  readonly after: string
} & { readonly [filter in FacetFilter | LimitFilter]: string }
export type RawParams = { readonly [name: string]: string | string[] | undefined }

const pageSize = 24

export function readSearch(params: RawParams): Search {
  const one = (name: string, max: number) => {
    const value = params[name]
    return (Array.isArray(value) ? (value[0] ?? '') : (value ?? '')).trim().slice(0, max)
  }
  const limit = (name: LimitFilter) => limitFilters[name].find((offered) => offered === one(name, 20)) ?? ''
  return {
    q: one('q', 400),
    max: one('max', 24),
    ...(Object.fromEntries(facetFilters.map((name) => [name, one(name, 80)])) as { [name in FacetFilter]: string }),
    ...(Object.fromEntries(limitFilterNames.map((name) => [name, limit(name)])) as { [name in LimitFilter]: string }),
    online: one('online', 1) === '1',
    sort: sorts.find((sort) => sort === one('sort', 20)) ?? 'relevance',
    after: one('after', 200),
  }
}

/** The query of the registry. Invalid values of a hand-written URL are omitted, not rejected. */
export function toQuery(search: Search, decimals: number): DiscoverQuery {
  const max = readMax(search.max, decimals)
  const { shape } = DiscoverQuery
  const wanted = {
    text: shape.text.safeParse(search.q),
    skill_id: shape.skill_id.safeParse(search.skill),
    output_type: shape.output_type.safeParse(search.output),
    language: shape.language.safeParse(search.language),
    region: shape.region.safeParse(search.region),
    protocol: shape.protocol.safeParse(search.protocol),
    policy: shape.policy.safeParse(search.policy),
    after: shape.after.safeParse(search.after),
  }
  return {
    limit: pageSize,
    sort: search.sort,
    ...Object.fromEntries(Object.entries(wanted).flatMap(([name, { data }]) => (data ? [[name, data]] : []))),
    ...(max === null ? {} : { max_price: max.toString() }),
    ...(search.online ? { online: true } : {}),
    ...(search.min_score ? { min_score: Number(search.min_score) } : {}),
    ...(search.min_success ? { min_success_rate: Number(search.min_success) / 100 } : {}),
    ...(search.max_latency ? { max_latency_ms: Number(search.max_latency) * 1_000 } : {}),
  }
}

const queryFields = {
  ...{ skill: 'skill_id', output: 'output_type', language: 'language', region: 'region', protocol: 'protocol', policy: 'policy' },
  ...{ max: 'max_price', min_score: 'min_score', min_success: 'min_success_rate', max_latency: 'max_latency_ms' },
} as const
export type CheckedFilter = keyof typeof queryFields

/** Filters of the URL that `toQuery` has left out because their values are invalid. */
export function listInvalidFilters(params: RawParams, query: DiscoverQuery): CheckedFilter[] {
  const names = Object.keys(queryFields) as CheckedFilter[]
  return names.filter((name) => [params[name]].flat().some((value) => value?.trim()) && query[queryFields[name]] === undefined)
}

function readMax(text: string, decimals: number): bigint | null {
  try {
    return text === '' ? null : parseAmount(text, decimals)
  } catch {
    return null
  }
}

/** The same view with a change. A change starts at the first page. */
export function searchHref(search: Search, change: Partial<Search>): string {
  const next = { ...search, after: '', ...change }
  const params = new URLSearchParams()
  for (const name of ['q', 'max', ...facetFilters, ...limitFilterNames] as const) if (next[name]) params.set(name, next[name])
  if (next.online) params.set('online', '1')
  if (next.sort !== 'relevance') params.set('sort', next.sort)
  if (next.after) params.set('after', next.after)
  const text = params.toString()
  return text ? `/agents?${text}` : '/agents'
}

export function isSearchFiltered(search: Search): boolean {
  return search.q !== '' || countFilters(search) > 0
}

/** The number of filters in use, without the search text. */
export function countFilters(search: Search): number {
  const texts = [search.max, ...[...facetFilters, ...limitFilterNames].map((name) => search[name])]
  return texts.filter((text) => text !== '').length + Number(search.online)
}
