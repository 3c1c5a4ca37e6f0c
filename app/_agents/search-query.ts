import { type DiscoverQuery, parseAmount } from '@parley/protocol'

export const sorts = ['relevance', 'score', 'paid_steps', 'price', 'newest'] as const
type Sort = (typeof sorts)[number]

/** The state of the directory in its URL, so that a copied URL restores the view. */
export type Search = {
  readonly q: string
  readonly skill: string
  readonly output: string
  readonly max: string
  readonly online: boolean
  readonly sort: Sort
  readonly after: string
}
export type RawParams = { readonly [name: string]: string | string[] | undefined }

const pageSize = 24

export function readSearch(params: RawParams): Search {
  const one = (name: string, max: number) => {
    const value = params[name]
    return (Array.isArray(value) ? (value[0] ?? '') : (value ?? '')).trim().slice(0, max)
  }
  return {
    q: one('q', 400),
    skill: one('skill', 80),
    output: one('output', 80),
    max: one('max', 24),
    online: one('online', 1) === '1',
    sort: sorts.find((sort) => sort === one('sort', 20)) ?? 'relevance',
    after: one('after', 200),
  }
}

/** The query of the registry. Invalid values of a hand-written URL are omitted, not rejected. */
export function toQuery(search: Search, decimals: number): DiscoverQuery {
  const max = readMax(search.max, decimals)
  return {
    limit: pageSize,
    sort: search.sort,
    ...(search.q ? { text: search.q } : {}),
    ...(search.skill ? { skill_id: search.skill } : {}),
    ...(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){0,4}$/.test(search.output) ? { output_type: search.output } : {}),
    ...(max === null ? {} : { max_price: max.toString() }),
    ...(search.online ? { online: true } : {}),
    ...(search.after ? { after: search.after } : {}),
  }
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
  for (const name of ['q', 'skill', 'output', 'max'] as const) if (next[name]) params.set(name, next[name])
  if (next.online) params.set('online', '1')
  if (next.sort !== 'relevance') params.set('sort', next.sort)
  if (next.after) params.set('after', next.after)
  const text = params.toString()
  return text ? `/agents?${text}` : '/agents'
}

export function isSearchFiltered(search: Search): boolean {
  return Boolean(search.q || search.skill || search.output || search.max || search.online)
}
