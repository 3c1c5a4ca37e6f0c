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
export const limitFilterNames = ['min_score', 'min_success', 'max_latency'] as const satisfies readonly LimitFilter[]

/** Filters that only a URL has: the page has no control for them. */
export const urlFilters = ['state', 'currency'] as const
type UrlFilter = (typeof urlFilters)[number]

/** The state of the directory in its URL, so that a copied URL restores the view. An empty text: no filter. */
export type Search = {
  readonly q: string
  readonly max: string
  readonly online: boolean
  readonly sort: Sort
  readonly after: string
} & { readonly [filter in FacetFilter | LimitFilter | UrlFilter]: string }
export type RawParams = { readonly [name: string]: string | string[] | undefined }

const pageSize = 24
export const maxText = 400
/** A longer value of a filter is cut, and is then no value. */
const maxValue = 200

/** The values as the registry writes them, where a person may write them in another way. */
const written: { readonly [name: string]: (text: string) => string } = {
  // A comma before three digits may separate thousands, so it is no decimal point.
  max: (text) => text.replace(/^(\d*),(\d{1,2}|\d{4,})$/, '$1.$2').replace(/^\./, '0.'),
  region: (text) => text.toUpperCase(),
  language: (text) => text.toLowerCase().replaceAll('_', '-'),
  protocol: (text) => text.toLowerCase(),
  policy: (text) => text.toLowerCase(),
  state: (text) => text.toLowerCase(),
  min_score: numberText,
  min_success: (text) => numberText(text.replace(/\s*%$/, '')),
  max_latency: numberText,
}

function numberText(text: string): string {
  return text.replace(/^(\d*),(\d{1,2})$/, '$1.$2')
}

function valuesOf(params: RawParams, name: string): string[] {
  return [params[name]].flat().flatMap((value) => (value === undefined ? [] : [value.trim()]))
}

export function readSearch(params: RawParams): Search {
  const first = (name: string, max: number = maxValue) => (valuesOf(params, name)[0] ?? '').slice(0, max)
  const filter = <Name extends string>(name: Name) => [name, (written[name] ?? String)(first(name))] as const
  return {
    q: first('q', maxText),
    max: filter('max')[1],
    ...(Object.fromEntries([...facetFilters, ...limitFilterNames, ...urlFilters].map(filter)) as {
      [name in FacetFilter | LimitFilter | UrlFilter]: string
    }),
    online: isTrue(first('online')) === true,
    sort: sorts.find((sort) => sort === first('sort')) ?? 'relevance',
    after: first('after'),
  }
}

/** Null: neither. */
function isTrue(text: string): boolean | null {
  return ['1', 'true', 'on', 'yes'].includes(text) ? true : ['', '0', 'false', 'off', 'no'].includes(text) ? false : null
}

/** The query of the registry. Invalid values of a hand-written URL are omitted, not rejected. */
export function toQuery(search: Search, decimals: number): DiscoverQuery {
  const max = readMax(search.max, decimals)
  const { shape } = DiscoverQuery
  const number = (text: string, factor: number) => (/^\d*\.?\d+$/.test(text) ? Number(text) * factor : undefined)
  const latency = number(search.max_latency, 1_000)
  const wanted = {
    text: shape.text.safeParse(search.q),
    skill_id: shape.skill_id.safeParse(search.skill),
    output_type: shape.output_type.safeParse(search.output),
    language: shape.language.safeParse(search.language),
    region: shape.region.safeParse(search.region),
    protocol: shape.protocol.safeParse(search.protocol),
    policy: shape.policy.safeParse(search.policy),
    state: shape.state.safeParse(search.state),
    currency: shape.currency.safeParse(search.currency),
    after: shape.after.safeParse(search.after),
    min_score: shape.min_score.safeParse(number(search.min_score, 1)),
    min_success_rate: shape.min_success_rate.safeParse(number(search.min_success, 0.01)),
    max_latency_ms: shape.max_latency_ms.safeParse(latency && Math.round(latency)),
  }
  return {
    limit: pageSize,
    sort: search.sort,
    ...Object.fromEntries(Object.entries(wanted).flatMap(([name, { data }]) => (data === undefined || data === '' ? [] : [[name, data]]))),
    ...(max === null ? {} : { max_price: max.toString() }),
    ...(search.online ? { online: true } : {}),
  }
}

const queryFields = {
  ...{ skill: 'skill_id', output: 'output_type', language: 'language', region: 'region', protocol: 'protocol', policy: 'policy' },
  ...{ max: 'max_price', min_score: 'min_score', min_success: 'min_success_rate', max_latency: 'max_latency_ms' },
  ...{ state: 'state', currency: 'currency' },
} as const
export type CheckedFilter = keyof typeof queryFields | 'sort' | 'online'
type InvalidFilter = { readonly name: CheckedFilter; readonly value: string }

/** Values of the URL that are not applied, because they are invalid. */
export function listInvalidFilters(params: RawParams, query: DiscoverQuery): InvalidFilter[] {
  const firstOf = (name: string) => valuesOf(params, name)[0] ?? ''
  const names = (Object.keys(queryFields) as (keyof typeof queryFields)[]).filter((name) => query[queryFields[name]] === undefined)
  const isUnknownSort = firstOf('sort') !== '' && !sorts.some((sort) => sort === firstOf('sort'))
  const others = [...(isUnknownSort ? (['sort'] as const) : []), ...(isTrue(firstOf('online')) === null ? (['online'] as const) : [])]
  return [...names, ...others].map((name) => ({ name, value: firstOf(name) })).filter(({ value }) => value !== '')
}

/** Parameters of which only the first value is applied, because the URL has several. */
export function listRepeated(params: RawParams): string[] {
  const known = ['q', 'max', 'sort', 'online', ...facetFilters, ...limitFilterNames, ...urlFilters]
  return known.filter((name) => valuesOf(params, name).length > 1)
}

export function isTextCut(params: RawParams): boolean {
  return (valuesOf(params, 'q')[0] ?? '').length > maxText
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
  for (const name of ['q', 'max', ...facetFilters, ...limitFilterNames, ...urlFilters] as const)
    if (next[name]) params.set(name, next[name])
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
  const texts = [search.max, ...[...facetFilters, ...limitFilterNames, ...urlFilters].map((name) => search[name])]
  return texts.filter((text) => text !== '').length + Number(search.online)
}
