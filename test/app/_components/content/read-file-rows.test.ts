import { describe, expect, it } from 'vitest'
import { readFileRows } from '../../../../app/_components/content/read-file-rows.ts'

describe('readFileRows', () => {
  it('reads CSV with quotes, line breaks in cells, CRLF and other separators', () => {
    expect(readFileRows('\uFEFFname;note\r\nAda;"a; ""b""\nc"\r\n', 'text/csv')).toMatchObject({
      columns: ['name', 'note'],
      cells: [['Ada', 'a; "b"\nc']],
    })
    expect(readFileRows('a,b\n1,2\n', 'text/csv; charset=utf-8')?.isNumber).toEqual([true, true])
  })
  it('reads records and columns with rows in JSON', () => {
    expect(readFileRows('[{"a":1,"b":"x"},{"a":25000}]', 'application/json')?.cells).toEqual([
      ['1', 'x'],
      ['25,000', ''],
    ])
    expect(readFileRows('{"columns":["Year","Revenue"],"rows":[["2020",274515]]}', 'application/json')?.cells).toEqual([
      ['2020', '274,515'],
    ])
  })
  it('counts all rows and keeps the first fifty', () => {
    const rows = readFileRows(`n\n${Array.from({ length: 80 }, (_, index) => index).join('\n')}\n`, 'text/csv')
    expect([rows?.total, rows?.cells.length]).toEqual([80, 50])
  })
  it.each([
    ['', 'text/csv'],
    ['a,b\n1', 'text/csv'],
    ['a,"b\n1,2', 'text/csv'],
    ['{"a":', 'application/json'],
    ['[]', 'application/json'],
    ['[1,2]', 'application/json'],
    ['null', 'application/json'],
    ['a,b\n1,2', 'text/plain'],
  ])('has no table for %j as %s', (text, type) => {
    expect(readFileRows(text, type)).toBeNull()
  })
})
