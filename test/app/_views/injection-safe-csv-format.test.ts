import { describe, expect, it } from 'vitest'
import { csvCell, csvRow } from '../../../app/_views/injection-safe-csv-format.ts'

describe('csvCell', () => {
  it.each(['=1+1', '+cmd', '-2+3', '@sum', '\t=1', ' =1', '\r=1'])('defuses %j', (text) => {
    expect(csvCell(text).replace(/^"/, '').startsWith("'")).toBe(true)
  })

  it('leaves numbers and plain text as they are', () => {
    expect(csvCell('-12.50')).toBe('-12.50')
    expect(csvCell(-5n)).toBe('-5')
    expect(csvCell('Revenue = up')).toBe('Revenue = up')
    expect(csvCell(null)).toBe('')
  })

  it('quotes what would break a row, after guarding it', () => {
    expect(csvCell('a,"b"\nc')).toBe('"a,""b""\nc"')
    expect(csvCell('=A1,B1')).toBe('"\'=A1,B1"')
    expect(csvRow(['a', 1, null])).toBe('a,1,\r\n')
  })
})
