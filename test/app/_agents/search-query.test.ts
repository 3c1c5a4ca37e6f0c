import { DiscoverQuery } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { isSearchFiltered, readSearch, searchHref, toQuery } from '../../../app/_agents/search-query.ts'

describe('the directory’s address', () => {
  it('restores the view it was copied from', () => {
    const search = readSearch({
      q: 'tranlate',
      skill: 'text.translate',
      output: 'text.plain',
      max: '0.5',
      online: '1',
      sort: 'price',
      after: 'x',
    })
    const url = new URL(searchHref(search, { after: 'x' }), 'http://localhost')
    expect(readSearch(Object.fromEntries(url.searchParams))).toEqual(search)
    expect(isSearchFiltered(search)).toBe(true)
  })

  it('starts at the first page again when a choice changes', () => {
    const search = readSearch({ q: 'chart', after: 'cursor' })
    expect(searchHref(search, { skill: 'chart.draw_svg' })).toBe('/agents?q=chart&skill=chart.draw_svg')
    expect(searchHref(readSearch({}), {})).toBe('/agents')
  })

  it('leaves out of the question what makes no sense, however it was written', () => {
    const search = readSearch({ q: ['a', 'b'], max: 'cheap', output: '<script>', sort: 'magic', online: 'yes' })
    const query = toQuery(search, 6)
    expect(query).toEqual({ limit: 24, sort: 'relevance', text: 'a' })
    expect(DiscoverQuery.safeParse(query).success).toBe(true)
  })

  it('asks for prices in base units', () => {
    expect(toQuery(readSearch({ max: '0.5' }), 6).max_price).toBe('500000')
  })

  it('cuts what is too long for a question', () => {
    expect(DiscoverQuery.safeParse(toQuery(readSearch({ q: 'x'.repeat(5_000), after: 'y'.repeat(5_000) }), 6)).success).toBe(true)
  })
})
