import { DiscoverQuery } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  countFilters,
  isSearchFiltered,
  isTextCut,
  listInvalidFilters,
  listRepeated,
  readSearch,
  searchHref,
  toQuery,
} from '../../../app/_agents/agent-search-url-mapping.ts'

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
      state: 'idle',
      currency: 'eip155:1/erc20:0x11',
      online: '1',
      sort: 'price',
      after: 'x',
    })
    const url = new URL(searchHref(search, { after: 'x' }), 'http://localhost')
    expect(readSearch(Object.fromEntries(url.searchParams))).toEqual(search)
    expect(isSearchFiltered(search)).toBe(true)
    expect(countFilters(search)).toBe(13)
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
      online: 'perhaps',
      region: 'Berlin',
      min_score: '101',
      state: 'asleep',
      currency: 'USDC',
      language: '?',
    })
    const query = toQuery(search, 6)
    expect(query).toEqual({ limit: 24, sort: 'relevance', text: 'a' })
    expect(DiscoverQuery.safeParse(query).success).toBe(true)
  })

  it('names the values that it leaves out', () => {
    const params = { max: 'cheap', region: 'Berlin', min_score: '999', language: 'de', skill: ' ', sort: 'magic', online: 'perhaps' }
    const invalid = listInvalidFilters({ ...params, state: ['asleep', 'idle'], currency: 'USDC' }, toQuery(readSearch(params), 6))
    expect(invalid.map(({ name, value }) => `${name}=${value}`)).toEqual([
      ...['region=Berlin', 'max=cheap', 'min_score=999', 'state=asleep', 'currency=USDC', 'sort=magic', 'online=perhaps'],
    ])
    expect(listInvalidFilters({}, toQuery(readSearch({}), 6))).toEqual([])
    expect(listInvalidFilters({ online: '0', sort: 'price' }, toQuery(readSearch({}), 6))).toEqual([])
  })

  it('names repeated parameters, and a text that it cuts', () => {
    expect(listRepeated({ q: ['a', 'b'], max: '1', region: ['DE', 'FR'] })).toEqual(['q', 'region'])
    expect([isTextCut({ q: 'x'.repeat(400) }), isTextCut({ q: 'x'.repeat(401) })]).toEqual([false, true])
  })

  it.each([
    ['max', '0,10', { max_price: '100000' }],
    ['max', '.5', { max_price: '500000' }],
    ['max', ',5', { max_price: '500000' }],
    ['max', '1,000', {}],
    ['max', '-1', {}],
    ['region', 'de', { region: 'DE' }],
    ['language', 'de-DE', { language: 'de-de' }],
    ['language', 'pt_BR', { language: 'pt-br' }],
    ['protocol', 'A2A', { protocol: 'a2a' }],
    ['policy', 'No_Training', { policy: 'no_training' }],
    ['min_score', '55', { min_score: 55 }],
    ['min_score', '0', { min_score: 0 }],
    ['min_score', '-5', {}],
    ['min_success', '75 %', { min_success_rate: 0.75 }],
    ['min_success', '101', {}],
    ['max_latency', '90', { max_latency_ms: 90_000 }],
    ['max_latency', 'soon', {}],
    ['state', 'Idle', { state: 'idle' }],
    ['online', 'true', { online: true }],
  ])('reads %s=%s', (name, value, expected) => {
    const query = toQuery(readSearch({ [name]: value }), 6)
    expect(query).toEqual({ limit: 24, sort: 'relevance', ...expected })
    expect(listInvalidFilters({ [name]: value }, query)).toHaveLength(Object.keys(expected).length === 0 ? 1 : 0)
  })

  it('keeps an invalid price as it was typed', () => {
    expect(readSearch({ max: 'cheap' }).max).toBe('cheap')
  })

  it('asks for prices in base units', () => {
    expect(toQuery(readSearch({ max: '0.5' }), 6).max_price).toBe('500000')
  })

  it('cuts what is too long for a question', () => {
    expect(DiscoverQuery.safeParse(toQuery(readSearch({ q: 'x'.repeat(5_000), after: 'y'.repeat(5_000) }), 6)).success).toBe(true)
  })
})
