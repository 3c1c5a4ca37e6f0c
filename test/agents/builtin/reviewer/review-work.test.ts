import { describe, expect, it } from 'vitest'
import type { Series } from '../../../../agents/builtin/artifacts/table-series.ts'
import { importTable } from '../../../../agents/builtin/data/import-table.ts'
import { lookUpCompanyFigures } from '../../../../agents/builtin/data/look-up-company-figures.ts'
import { reviewWork } from '../../../../agents/builtin/reviewer/review-work.ts'
import { writeTrendReport } from '../../../../agents/builtin/writer/write-trend-report.ts'
import { fileOf, filesOf } from '../series-files.ts'

const guide = lookUpCompanyFigures({ company: 'Microsoft', from: 2014, to: 2020 })
const report = writeTrendReport({ inputs: filesOf(guide) })

function verdictOn(criteria: string[], text = report, series: Series = guide, without: string[] = []) {
  const files = [...filesOf(series), fileOf('report.markdown', 'report.md', 'text/markdown', text)].filter(
    (file) => !without.includes(file.type),
  )
  return reviewWork({
    inputs: [
      ...files,
      { port: 'criteria', type: 'goal.criteria', data: { text: 'The goal.', criteria: criteria.map((one) => ({ text: one })) } },
    ],
  })
}
const statusOf = (criterion: string, ...rest: [string?, Series?, string[]?]) => verdictOn([criterion], ...rest).criteria[0]?.status

describe('review', () => {
  it.each([
    'Covers every year from 2014 to 2020',
    'A figure in text format',
    'The report states the CAGR',
    'The report names the best and the weakest year',
    'At least 7 data points',
    'At least 250 words',
    'Gives the year-over-year growth',
    'The report cites its sources',
    'Contains a table of the figures',
    'The numbers in the report match the table',
    'The report has a trend analysis and a conclusion',
    'Amounts are in million USD',
    'The report mentions "ASC 606"',
    'It must not mention "Oracle"',
    'R² of a linear fit is given',
  ])('finds met: %s', (criterion) => {
    expect(statusOf(criterion)).toBe('met')
  })

  it.each([
    'Covers the years 2005 to 2009',
    'At least 20 data points',
    'exactly six data points',
    'At least 5,000 words',
    'At most 50 words',
    'There is an SVG chart',
    'The report mentions "Oracle"',
    'It must not mention "Microsoft"',
    'The data has a column "Profit"',
    'States the median',
  ])('finds failed: %s', (criterion) => {
    expect(statusOf(criterion)).toBe('failed')
    expect(verdictOn([criterion]).pass).toBe(false)
  })

  it.each(['The report is elegant', 'It reads well', 'No chart junk', 'The tone is friendly'])(
    'leaves unchecked what no rule can judge: %s',
    (criterion) => {
      expect(statusOf(criterion)).toBe('unchecked')
      expect(verdictOn([criterion])).toMatchObject({ pass: true })
    },
  )

  it('fails a chart that is asked and not there', () => {
    expect(statusOf('A chart in text form', report, guide, ['chart.text'])).toBe('failed')
  })

  it('judges a criterion of two parts by both', () => {
    expect(verdictOn(['A text chart and at least 20 data points']).criteria[0]).toMatchObject({
      status: 'failed',
      concerns: ['table.series'],
    })
  })

  it.each([
    ['a cell of the table', '| 96,571 |', '| 96,751 |', /96,751 for 2017/],
    ['a growth rate of the table', '| +14.3 % |', '| +41.3 % |', /41\.3 % for 2018/],
    ['the lead', 'to 143,015 million USD (2020)', 'to 134,015 million USD (2020)', /134,015 for 2020/],
    ['the compound growth', 'CAGR) of +8.7 %', 'CAGR) of +9.7 %', /9\.7 %.*\+8\.7 %/],
    ['the best year', '2018 (+14.3 %)', '2018 (+24.3 %)', /24\.3 % for 2018/],
  ])('catches a wrong number planted in %s', (_, right, wrong, finding) => {
    expect(report).toContain(right)
    const verdict = verdictOn([], report.replace(right, wrong))
    expect(verdict.pass).toBe(false)
    expect(verdict.criteria.find((one) => one.status === 'failed')?.evidence).toMatch(finding)
  })

  it('catches a wrong number in a sentence of another writer, and takes a right one in billions', () => {
    const foreign = (value: string) =>
      `# Revenue\n\nIn 2017 the company took ${value} in all of its segments together.\n\n| Year | Revenue |\n| --- | --- |\n| 2014 | 86.8 |\n| 2015 | 93.6 |\n`
    expect(verdictOn([], foreign('96,571')).pass).toBe(true)
    expect(verdictOn([], foreign('69,571')).pass).toBe(false)
    expect(verdictOn([], foreign('96,571').replace('86.8', '68.8')).pass).toBe(false)
  })

  it('catches a chart and an analysis that disagree with the table', () => {
    const files = filesOf(guide)
    const [series, analysis, chart] = files.map((file) => file.text ?? '') as [string, string, string]
    const criteria = { port: 'criteria', type: 'goal.criteria', data: { criteria: [] } }
    const base = [
      fileOf('table.series', 'f', 'application/json', series),
      fileOf('report.markdown', 'r', 'text/markdown', report),
      criteria,
    ]
    const wrongChart = fileOf('chart.text', 'c', 'text/plain', chart.replace('143,015', '134,015'))
    expect(reviewWork({ inputs: [...base, wrongChart] }).criteria.at(-1)).toMatchObject({ status: 'failed', concerns: ['chart.text'] })
    const wrongTrend = fileOf('analysis.trend', 't', 'application/json', analysis.replace(/"cagr":0\.0867\d+/, '"cagr":0.0967'))
    expect(reviewWork({ inputs: [...base, wrongTrend] }).criteria.at(-1)).toMatchObject({ status: 'failed', concerns: ['analysis.trend'] })
  })

  it.each([
    lookUpCompanyFigures({ companies: ['Amazon', 'Apple'], metric: 'net income', from: 2012, to: 2024 }),
    lookUpCompanyFigures({ company: 'Intel' }),
    lookUpCompanyFigures({ company: 'Nvidia', last: 2 }),
    importTable(
      'Month,Sold (kg),Lost (kg)\n2024-01,1200,3.25\n2024-02,1100,\n2024-03,1350.5,2\n2024-04,900,4\n2024-05,1420,1\n',
      'stock.csv',
    ),
    importTable('Item,Share\nTea,12.5%\nCoffee,60%\nCocoa,27.5%\n', 'shares.csv'),
    importTable('Year,Share\n2019,12.5%\n2020,14%\n2021,13%\n2022,19%\n2023,22%\n', 'share.csv'),
    importTable(
      `Day,Level\n${Array.from({ length: 60 }, (_, i) => `2024-0${1 + Math.floor(i / 28)}-${String(1 + (i % 28)).padStart(2, '0')},${(100 + 30 * Math.sin(i / 6)).toFixed(2)}`).join('\n')}\n`,
      'levels.csv',
    ),
  ])('finds no fault in what the built-in writer writes about $title', (series) => {
    const text = writeTrendReport({ inputs: filesOf(series) })
    expect(verdictOn([], text, series).criteria.filter((one) => one.status === 'failed')).toEqual([])
  })

  it('refuses to review without a report or criteria', () => {
    expect(() => reviewWork({ inputs: [] })).toThrow(/goal\.criteria/)
  })
})
