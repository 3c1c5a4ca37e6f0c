import { describe, expect, it } from 'vitest'
import { importTable } from '../../../../agents/builtin/data/import-table.ts'
import { lookUpCompanyFigures } from '../../../../agents/builtin/data/look-up-company-figures.ts'
import { writeTrendReport } from '../../../../agents/builtin/writer/write-trend-report.ts'
import { filesOf } from '../series-files.ts'

describe('writeReport', () => {
  const guide = writeTrendReport({ inputs: filesOf(lookUpCompanyFigures({ company: 'Microsoft', from: 2014, to: 2020 })) })

  it('leads with what happened, and gives every figure with its growth', () => {
    expect(guide).toMatch(
      /^# Annual revenue of Microsoft, fiscal years 2014–2020\n\nRevenue rose from 86,833 million USD \(2014\) to 143,015 million USD \(2020\), \+64\.7 % in all, a compound annual growth rate \(CAGR\) of \+8\.7 %\./,
    )
    expect(guide).toContain('| 2016 | 91,154 | -2.6 % |')
    expect(guide).toMatch(/best was 2018 \(\+14\.3 %\), the weakest was 2016 \(-2\.6 %\)/)
  })

  it('holds the chart as a code block, and cites every file by name and hash', () => {
    expect(guide).toMatch(/```text\nAnnual revenue of Microsoft/)
    for (const file of filesOf(lookUpCompanyFigures({ company: 'Microsoft', from: 2014, to: 2020 }))) {
      expect(guide).toContain(file.artifact?.name)
      expect(guide).toContain(file.artifact?.sha256)
    }
    expect(guide).toContain('Form 10-K')
  })

  it.each([
    ['falling', 'Year,V\n2019,50\n2020,40\n2021,32\n2022,25\n', /V fell from 50 \(2019\) to 25 \(2022\).*trend is downward/s],
    ['flat', 'Year,V\n2019,100\n2020,100.5\n2021,99.8\n2022,100\n', /hardly moved.*stand still/s],
    ['mixed', 'Year,V\n2019,5\n2020,50\n2021,4\n2022,49\n2023,5\n', /no steady direction.*without a lasting direction/s],
    ['a single figure', 'Year,V\n2019,5\n', /only one figure for V: 5 \(2019\).*carries no trend/s],
    ['names', 'Item,Sold\nTea,120\nCoffee,340\n', /highest for Coffee \(340\).*Coffee leads with 73\.9 %/s],
    ['gaps', 'Year,V\n2019,5\n2020,\n2021,7\n2022,9\n', /No figure is known for 2020; nothing was filled in/],
    ['few points', 'Year,V\n2019,5\n2020,6\n2021,7\n', /fewer than five points/],
  ])('names %s correctly', (_, csv, sentence) => {
    expect(writeTrendReport({ inputs: filesOf(importTable(csv, 'v.csv')) })).toMatch(sentence)
  })

  it('shows a long table by its ends', () => {
    const csv = `Row,V\n${Array.from({ length: 90 }, (_, index) => `n${index},${index}`).join('\n')}\n`
    const report = writeTrendReport({ inputs: filesOf(importTable(csv, 'v.csv')) })
    expect(report).toContain('90 rows in all')
    expect(report.split('\n').filter((line) => line.startsWith('| n'))).toHaveLength(24)
  })

  it('lets no markup in from labels or titles', () => {
    const report = writeTrendReport({ inputs: filesOf(importTable('Item,V\n<img src=x>,1\na|b,2\n', '[x](http://e).csv')) })
    const outside = report.replace(/```[\s\S]*?```/g, '')
    expect(outside).not.toMatch(/(?<!\\)<img|\| a\|b \||^# \[x\]/m)
  })

  it('refuses to write without its inputs', () => {
    expect(() => writeTrendReport({ inputs: [] })).toThrow(/table\.series/)
  })
})
