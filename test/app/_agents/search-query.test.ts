import { DiscoverQuery } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { countFilters, isSearchFiltered, listInvalidFilters, readSearch, searchHref, toQuery } from '../../../app/_agents/search-query.ts'

describe('the directory’s address', () => {
  it('restores the view it was copied from', () => {
    const search = readSearch({
      q: 'tranlate',
      skill: 'text.translate',
      output: 'text.plain',
      language: 'pt-br',
      region: 'BR',
      protocol: 'a2a',
      policy: 'no_training',
      min_score: '70',
      min_success: '95',
      max_latency: '600',
      max: '0.5',
      online: '1',
      sort: 'price',
      after: 'x',
    })
    const url = new URL(searchHref(search, { after: 'x' }), 'http://localhost')
    expect(readSearch(Object.fromEntries(url.searchParams))).toEqual(search)
    expect(isSearchFiltered(search)).toBe(true)
    expect(countFilters(search)).toBe(11)
  })

  it('asks the registry for each filter', () => {
    const search = readSearch({
      language: 'de',
      region: 'DE',
      protocol: 'mcp',
      policy: 'eu_only',
      min_score: '90',
      min_success: '80',
      max_latency: '60',
    })
    expect(toQuery(search, 6)).toEqual({
      ...{ limit: 24, sort: 'relevance', language: 'de', region: 'DE', protocol: 'mcp', policy: 'eu_only' },
      ...{ min_score: 90, min_success_rate: 0.8, max_latency_ms: 60_000 },
    })
    expect(DiscoverQuery.safeParse(toQuery(search, 6)).success).toBe(true)
  })

  it('starts at the first page again when a choice changes', () => {
    const search = readSearch({ q: 'chart', after: 'cursor' })
    expect(searchHref(search, { skill: 'chart.draw_svg' })).toBe('/agents?q=chart&skill=chart.draw_svg')
    expect(searchHref(readSearch({}), {})).toBe('/agents')
  })

  it('leaves out of the question what makes no sense, however it was written', () => {
    const search = readSearch({
      q: ['a', 'b'],
      max: 'cheap',
      output: '<script>',
      sort: 'magic',
      online: 'yes',
      region: 'Berlin',
      min_score: '71',
      language: '?',
    })
    const query = toQuery(search, 6)
    expect(query).toEqual({ limit: 24, sort: 'relevance', text: 'a' })
    expect(DiscoverQuery.safeParse(query).success).toBe(true)
  })

  it('names the filters that it leaves out', () => {
    const params = { max: 'cheap', region: 'jp', min_score: '999', language: 'de', skill: ' ' }
    expect(listInvalidFilters(params, toQuery(readSearch(params), 6))).toEqual(['region', 'max', 'min_score'])
  })

  it('asks for prices in base units', () => {
    expect(toQuery(readSearch({ max: '0.5' }), 6).max_price).toBe('500000')
  })

  it('cuts what is too long for a question', () => {
    expect(DiscoverQuery.safeParse(toQuery(readSearch({ q: 'x'.repeat(5_000), after: 'y'.repeat(5_000) }), 6)).success).toBe(true)
  })
})
