import type { FacetFilter } from './agent-search-url-mapping.ts'

const protocolNames: { readonly [protocol: string]: string } = { a2a: 'A2A', mcp: 'MCP', acp: 'ACP', x402: 'x402', nats: 'NATS' }

/** The text of a facet's value in the reader's language: `pt-br` is “Brazilian Portuguese”. A skill's label is its most common name. */
export function facetLabel(
  filter: FacetFilter,
  { value, label }: { readonly value: string; readonly label: string },
  locale: string,
): string {
  switch (filter) {
    case 'skill':
      return label
    case 'language':
    case 'region':
      return nameOf(filter, value, locale)
    case 'protocol':
      return protocolNames[value] ?? value
    case 'output':
      return capitalised(value.split('.').map(spaced).join(': '))
    case 'policy':
      return capitalised(spaced(value))
  }
}

/** Listings may state tags that are well formed but not registered. `Intl` rejects some of them. */
function nameOf(type: 'language' | 'region', value: string, locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type }).of(value) ?? value
  } catch {
    return value
  }
}

const spaced = (text: string) => text.replaceAll('_', ' ')
const capitalised = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
