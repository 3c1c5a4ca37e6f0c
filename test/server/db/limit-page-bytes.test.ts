import { describe, expect, it } from 'vitest'
import { jsonBytes, limitPageBytes } from '../../../server/db/limit-page-bytes.ts'

describe('limitPageBytes', () => {
  it('gives the first rows that fit, and one in any case', () => {
    const rows = ['aaaa', 'bb', 'cc', 'd']
    const length = (row: string) => row.length
    expect(limitPageBytes(rows, length, 8)).toEqual(['aaaa', 'bb', 'cc'])
    expect(limitPageBytes(rows, length, 7)).toEqual(['aaaa', 'bb'])
    expect(limitPageBytes(rows, length, 1)).toEqual(['aaaa'])
    expect(limitPageBytes(rows, length, 9)).toEqual(rows)
    expect(limitPageBytes([], length, 0)).toEqual([])
  })

  it('counts bytes of UTF-8 as an answer has them, big integers too', () => {
    expect([jsonBytes('計'), jsonBytes({ a: 10n }), jsonBytes(undefined)]).toEqual([5, 10, 0])
  })
})
