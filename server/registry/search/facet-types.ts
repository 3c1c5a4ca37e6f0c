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
  /** Values by the filter's name, such as `language`. A filter without known values is left out. */
  readonly attributes: { readonly [filter: string]: readonly Facet[] }
}
