import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseTrend } from '../../../../agents/builtin/analyst/analyse-trend.ts'
import type { Series } from '../../../../agents/builtin/artifacts/table-series.ts'
import { TrendAnalysis } from '../../../../agents/builtin/artifacts/trend-analysis-types.ts'
import { lookUpCompanyFigures } from '../../../../agents/builtin/data/look-up-company-figures.ts'

const series = (rows: Series['rows'], columns = ['Year', 'Value']): Series => ({
  title: 'T',
  unit: 'u',
  source: 'S',
  columns,
  rows,
  notes: [],
})
const years = (...values: (number | null)[]) => series(values.map((value, index) => [String(2010 + index), value]))
const only = (table: Series) => {
  const [trend] = analyseTrend(table).columns
  if (!trend) throw new Error('no column')
  return trend
}

describe('analyse', () => {
  it('computes growth, compound growth and fits of the goal of the guide', () => {
    const trend = only(lookUpCompanyFigures({ company: 'Microsoft', from: 2014, to: 2020 }))
    expect(trend.cagr).toBeCloseTo((143_015 / 86_833) ** (1 / 6) - 1, 10)
    expect(trend.change_share).toBeCloseTo(0.647, 3)
    expect(trend.best).toMatchObject({ label: '2018', change: 13_789 })
    expect(trend.worst).toMatchObject({ label: '2016' })
    expect(trend.turns).toEqual([
      { label: '2015', value: 93_580, kind: 'peak' },
      { label: '2016', value: 91_154, kind: 'trough' },
    ])
    expect(trend.direction).toBe('rising')
    expect(trend.linear?.r2).toBeGreaterThan(0.8)
  })

  it.each([
    [[5, 6, 7, 8], 'rising'],
    [[8, 7, 6, 5], 'falling'],
    [[100, 100.2, 99.9, 100], 'flat'],
    [[5, 50, 4, 49, 5], 'mixed'],
    [[5], 'too_short'],
  ] as const)('calls %j %s', (values, direction) => {
    expect(only(years(...values)).direction).toBe(direction)
  })

  it('fits a straight line and an exponential exactly where they are exact', () => {
    expect(only(years(3, 5, 7, 9)).linear).toMatchObject({ slope: 2, intercept: 3, r2: 1 })
    expect(only(years(1, 2, 4, 8)).log_linear?.rate).toBeCloseTo(1, 10)
    expect(only(years(4, 4, 4)).linear).toMatchObject({ slope: 0, r2: 1 })
  })

  it('counts periods, not rows, across missing values', () => {
    const trend = only(years(100, null, 121))
    expect(trend.missing).toEqual(['2011'])
    expect(trend.cagr).toBeCloseTo(0.1, 10)
    expect(trend.changes).toMatchObject([{ label: '2012', gap: 2 }])
    expect(trend.best).toBeNull()
  })

  it('computes no growth from nothing or from a loss, and no logarithm', () => {
    const trend = only(years(-5, 0, 10, 20))
    expect(trend.cagr).toBeNull()
    expect(trend.log_linear).toBeNull()
    expect(trend.changes.map((change) => change.share)).toEqual([null, null, 1])
  })

  it('compares names and computes no growth between them', () => {
    const analysis = analyseTrend(
      series([
        ['Tea', 3],
        ['Coffee', 9],
        ['Cocoa', 6],
      ]),
    )
    expect(analysis.period).toBe('none')
    expect(analysis.columns[0]).toMatchObject({ direction: 'unordered', cagr: null, changes: [], highest: { label: 'Coffee' } })
  })

  it('finds a value off the line, and none in noise that is even', () => {
    expect(only(years(10, 11.1, 11.9, 40, 14.1, 14.9, 16.1, 17)).outliers.some((one) => one.label === '2013')).toBe(true)
    expect(only(years(10, 11, 12, 13, 14, 15)).outliers).toEqual([])
  })

  it('refuses a table without numbers', () => {
    expect(() => analyseTrend(years(null, null))).toThrow(/no number/)
  })

  it('always gives finite findings in its own shape', () => {
    const value = fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { freq: 5 })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 30 }), (values) => {
        fc.pre(values.some((one) => one !== null))
        const analysis = analyseTrend(years(...values))
        expect(() => TrendAnalysis.parse(JSON.parse(JSON.stringify(analysis)))).not.toThrow()
      }),
      { numRuns: 1000 },
    )
  })
})
