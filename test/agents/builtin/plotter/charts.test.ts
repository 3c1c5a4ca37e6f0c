import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Series } from '../../../../agents/builtin/artifacts/table-series.ts'
import { lookUpCompanyFigures } from '../../../../agents/builtin/data/look-up-company-figures.ts'
import { drawSvgChart } from '../../../../agents/builtin/plotter/draw-svg-chart.ts'
import { drawTextChart, maxWidth } from '../../../../agents/builtin/plotter/draw-text-chart.ts'

const series = (rows: Series['rows'], more: Partial<Series> = {}): Series => ({
  title: 'T',
  unit: 'u',
  source: 'S',
  columns: ['L', 'V'],
  rows,
  notes: [],
  ...more,
})
const guide = lookUpCompanyFigures({ company: 'Microsoft', from: 2014, to: 2020 })
const width = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length))

describe('drawText', () => {
  it('draws a bar per year, in proportion, with its figure and its source', () => {
    const chart = drawTextChart(guide)
    const bar = (year: string) =>
      (
        chart
          .split('\n')
          .find((line) => line.startsWith(year))
          ?.match(/█/g) ?? []
      ).length
    expect(chart).toMatch(/^2020 \|█+ 143,015$/m)
    expect(bar('2020') / bar('2014')).toBeCloseTo(143_015 / 86_833, 1)
    expect(chart).toContain('Form 10-K')
  })

  it('draws losses to the left of the zero line', () => {
    const chart = drawTextChart(
      series([
        ['a', -10],
        ['b', 10],
      ]),
    )
    expect(chart).toMatch(/^a █+\|\s+-10$/m)
    expect(chart).toMatch(/^b\s+\|█+ 10$/m)
  })

  it('marks what is missing, and draws nothing for nothing', () => {
    expect(
      drawTextChart(
        series([
          ['a', null],
          ['b', 0],
          ['c', 5],
        ]),
      ),
    ).toMatch(/^a \| -$/m)
    expect(() => drawTextChart(series([['a', null]]))).toThrow(/no number/)
  })

  it('draws a line where there are too many rows for bars', () => {
    const chart = drawTextChart(series(Array.from({ length: 60 }, (_, index) => [`row ${index}`, Math.sin(index / 9)])))
    expect(chart).toMatch(/[┏┛━]/)
    expect(chart).toContain('60 rows, from row 0 to row 59')
  })

  it('never exceeds its width', () => {
    const row = fc.tuple(fc.string({ maxLength: 60, unit: 'grapheme-ascii' }), fc.option(fc.double({ min: -1e12, max: 1e12, noNaN: true })))
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        fc.pre(rows.some((one) => one[1] !== null))
        expect(width(drawTextChart(series(rows as Series['rows'], { title: 'word '.repeat(50) })))).toBeLessThanOrEqual(maxWidth)
      }),
      { numRuns: 100 },
    )
  })
})

describe('drawSvg', () => {
  it('has a title and a description with every figure, tied to the picture', () => {
    const svg = drawSvgChart(guide)
    expect(svg).toMatch(/^<svg[^>]* role="img" aria-labelledby="chart-title chart-desc">/)
    expect(svg).toContain('<title id="chart-title">Annual revenue of Microsoft')
    for (const row of guide.rows) expect(svg).toContain(`${row[0]} ${Number(row[1]).toLocaleString('en-US')}`)
  })

  it('carries no script, no event and no remote reference, for all labels', () => {
    const svg = drawSvgChart(
      series(
        [
          ['<script>alert(1)</script>', 1],
          ['"onload="x', 2],
        ],
        { title: '</title><script>x</script>', columns: ['L', '<b>V</b>'] },
      ),
    )
    expect(svg).not.toMatch(/<script|<b>|<image|<foreignObject|url\((?!#)|href="(?!#)/i)
    expect(svg).not.toMatch(/<[^>]*\son\w+=/i)
    expect(svg.match(/https?:\/\/[^"]+/g)?.every((url) => url.startsWith('http://www.w3.org/'))).toBe(true)
  })

  it('draws gaps, names and several columns', () => {
    const table = series(
      [
        ['Tea', 1, 4],
        ['Coffee', null, 5],
      ],
      { columns: ['L', 'A', 'B'] },
    )
    expect(drawSvgChart(table)).toContain('A: Tea 1. B: Tea 4, Coffee 5.')
  })
})
