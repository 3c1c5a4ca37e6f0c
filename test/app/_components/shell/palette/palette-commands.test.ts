import { describe, expect, it } from 'vitest'
import { findPlaces } from '../../../../../app/_components/shell/palette/palette-commands.ts'

const find = (query: string, reader: Parameters<typeof findPlaces>[2] = null) =>
  findPlaces(query, (label) => `the ${label}`, reader).map(({ href }) => href)

describe('findPlaces', () => {
  it('finds places by all words of the query', () => {
    expect(find('the publish')).toEqual(['/publish'])
    expect(find('PAYOUTS')).toEqual(['/payouts'])
    expect(find('publish payouts')).toEqual([])
  })

  it('shows only what the reader may open', () => {
    expect(find('inbox')).toEqual([])
    expect(find('inbox', { isOperator: false })).toEqual(['/inbox'])
    expect(find('admin', { isOperator: false })).toEqual([])
    expect(find('admin', { isOperator: true })).toEqual(['/admin'])
  })
})
