import { describe, expect, it } from 'vitest'
import { importCsvSkill, importTable } from '../../../../agents/builtin/data/import-table.ts'
import { parseNumberCell } from '../../../../agents/builtin/data/parse-number-cell.ts'

describe('parseCell', () => {
  it.each([
    ['1,234.5', '.', 1_234.5],
    ['1.234,5', ',', 1_234.5],
    ['1 234', '.', 1_234],
    ["1'234'567", '.', 1_234_567],
    ['(1,200)', '.', -1_200],
    ['-$3.50', '.', -3.5],
    ['€ 12', '.', 12],
    ['\u2212 7', '.', -7],
    ['12%', '.', 12],
    ['.5', '.', 0.5],
    ['1e3', '.', 1_000],
  ] as const)('reads %s with the mark %s', (text, mark, value) => {
    expect(parseNumberCell(text, mark)).toMatchObject({ kind: 'number', value })
  })
  it.each(['', '-', 'n/a', 'NULL', '...'])('takes %j as missing', (text) => {
    expect(parseNumberCell(text, '.')).toEqual({ kind: 'missing' })
  })
  it.each(['12a', '1,23,4', '2020-01-01', 'twelve', '1.2.3'])('takes %s as words', (text) => {
    expect(parseNumberCell(text, '.').kind).toBe('words')
  })
})

describe('importTable', () => {
  it('finds labels, numbers and what to leave out', () => {
    const series = importTable(
      'Region,Month,Visitors,Remark\nNorth,2024-01,"1,204",good\nNorth,2024-02,,fair\nNorth,2024-03,"1,510",good\n',
      'site_visits.csv',
    )
    expect(series).toMatchObject({
      title: 'Site visits',
      columns: ['Month', 'Visitors'],
      rows: [
        ['2024-01', 1_204],
        ['2024-02', null],
        ['2024-03', 1_510],
      ],
    })
    expect(series.notes).toEqual(['Left out, being no numbers: Region and Remark.', 'One cell is missing.'])
  })

  it('reads the European way where semicolons part the cells', () => {
    expect(importTable('Monat;Wert\n2024-01;1.204\n2024-02;1.318\n', 'x.csv').rows).toEqual([
      ['2024-01', 1_204],
      ['2024-02', 1_318],
    ])
    expect(importTable('Monat;Wert\n2024-01;1.5\n2024-02;12.25\n', 'x.csv').rows[1]).toEqual(['2024-02', 12.25])
  })

  it('does without headings and without labels', () => {
    expect(importTable('2019,5\n2020,6\n', 'x.csv')).toMatchObject({
      columns: ['Label', 'Column 2'],
      rows: [
        ['2019', 5],
        ['2020', 6],
      ],
    })
    expect(importTable('a,b\n3,1\n1,2\n2,9\n', 'x.csv').columns).toEqual(['Row', 'a', 'b'])
  })

  it('takes the unit from marks or headings', () => {
    expect(importTable('Year,Share\n2020,4%\n2021,5%\n', 'x.csv').unit).toBe('%')
    expect(importTable('Year,Price\n2020,$4\n2021,$5\n', 'x.csv').unit).toBe('USD')
    expect(importTable('Year,Rain (mm)\n2020,4\n2021,5\n', 'x.csv').unit).toBe('mm')
  })

  it('reads tabs, byte order marks and quoted line breaks', () => {
    expect(importTable('\ufeffItem\tCount\n"two\nlines"\t3\nother\t4\n', 'x.tsv').rows).toEqual([
      ['two\nlines', 3],
      ['other', 4],
    ])
  })

  it('refuses by line', () => {
    expect(() => importTable('a,b\nx,1\ny,2\nz,3\nq,oops\n', 'x.csv')).toThrow(/“b” holds numbers, but not on line 5 \(“oops”\)/)
    expect(() => importTable('a,b\nx,1\ny,2,3\n', 'x.csv')).toThrow(/Line 3 has 3 cells where the heading has 2/)
    expect(() => importTable('a,b\nx,"1\n', 'x.csv')).toThrow(/breaks off at line/)
    expect(() => importTable('a,b\nx,y\nz,w\n', 'x.csv')).toThrow(/No column/)
    expect(() => importTable('a,b\n', 'x.csv')).toThrow(/no rows/)
    expect(() => importTable('just words\n', 'x.csv')).toThrow(/two columns/)
  })

  it('reads the three usual shapes of JSON, and no other', () => {
    const rows = [
      ['Tea', 120],
      ['Coffee', null],
    ]
    expect(importTable('[{"what":"Tea","n":120},{"what":"Coffee","n":null}]', 'x.json').rows).toEqual(rows)
    expect(importTable('{"columns":["what","n"],"rows":[["Tea",120],["Coffee",null]]}', 'x.json').rows).toEqual(rows)
    expect(importTable('{"Tea":120,"Coffee":null}', 'x.json').rows).toEqual(rows)
    expect(() => importTable('[1,2,3]', 'x.json')).toThrow(/neither a list of records/)
    expect(() => importTable('[{"a":1},', 'x.json')).toThrow(/can't be read/)
  })

  it('names the attachment as the source', () => {
    const artifact = { sha256: 'a'.repeat(64), name: 'shop.csv', media_type: 'text/csv', size: 1, artifact_type: 'table.csv' }
    const done = importCsvSkill({ inputs: [{ port: 'table', type: 'table.csv', text: 'Item,Sold\nTea,120\nCoffee,340\n', artifact }] })
    expect(done.outputs[0]?.text).toContain('attachment “shop.csv”')
    expect(() => importCsvSkill({ inputs: [] })).toThrow(/missing/)
  })
})
