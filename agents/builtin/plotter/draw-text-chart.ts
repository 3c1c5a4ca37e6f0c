/** `chart.draw_text`: a plain-text chart, at most 80 columns wide. */
import { plot } from 'simple-ascii-chart'
import { parseTableSeries, periodOf, pointsOf, type Series } from '../artifacts/table-series.ts'
import { formatList, formatNumber } from '../format-numbers-and-lists.ts'
import { refuse, requireText, type SkillRequest, type SkillResponse } from '../skill.ts'

export const maxWidth = 80
/** Rows above which a line chart is drawn instead of bars. */
const maxBars = 24

export function drawTextChart(series: Series): string {
  const columns = series.columns.slice(1).map((name, index) => ({ name, index: index + 1 }))
  const drawn = columns.filter((column) => pointsOf(series, column.index).length > 0)
  if (drawn.length === 0) refuse('The table holds no number to draw.')
  const head = [...wrapped(series.title, maxWidth), ...(series.unit ? wrapped(`in ${series.unit}`, maxWidth) : []), '']
  const charts = drawn.flatMap((column, place) => [
    ...(drawn.length > 1 ? [`${place > 0 ? '\n' : ''}${cut(column.name, maxWidth)}`] : []),
    ...(series.rows.length <= maxBars ? bars(series, column.index) : lines(series, column.index)),
  ])
  return `${[...head, ...charts, '', ...wrapped(`Source: ${series.source}`, maxWidth)].join('\n')}\n`
}

/** One bar for each row, with its number. Negative bars extend to the left of zero. */
function bars(series: Series, column: number): string[] {
  const rows = series.rows.map((row) => ({ label: cut(row[0], 20), value: row[column] as number | null }))
  const values = rows.flatMap((row) => (typeof row.value === 'number' ? [row.value] : []))
  const labels = Math.max(...rows.map((row) => row.label.length))
  const figures = Math.max(...values.map((value) => formatNumber(value).length), 1)
  const high = Math.max(0, ...values)
  const low = Math.min(0, ...values)
  const room = maxWidth - labels - figures - 4
  const scale = Number.isFinite(room / (high - low)) ? room / (high - low) : 0
  const left = Math.round(-low * scale)
  return rows.map(({ label, value }) => {
    const name = label.padEnd(labels)
    if (value === null) return `${name} ${' '.repeat(left)}| ${'-'.padStart(figures)}`
    const length = value === 0 ? 0 : Math.max(1, Math.round(Math.abs(value) * scale))
    const before = value < 0 ? `${' '.repeat(Math.max(0, left - length))}${'█'.repeat(Math.min(length, left))}` : ' '.repeat(left)
    const after = value > 0 ? '█'.repeat(Math.min(length, room - left)) : ''
    return `${name} ${before}|${after} ${formatNumber(value)}`
  })
}

function lines(series: Series, column: number): string[] {
  const points = pointsOf(series, column)
  const first = points[0]
  const last = points[points.length - 1]
  if (points.length < 2 || !first || !last) return bars({ ...series, rows: series.rows.slice(0, maxBars) }, column)
  const values = points.map((point) => point.value)
  const widest = Math.max(...values.map((value) => formatNumber(value).length))
  const width = Math.max(20, maxWidth - widest - 6)
  const chart = plot(
    points.map((point, index): [number, number] => [index, point.value]),
    { width, height: 14, hideXAxisTicks: true, formatter: (value: number) => formatNumber(value) },
  )
  const drawn = chart
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  const wide = Math.min(maxWidth, Math.max(...drawn.map((line) => line.length)))
  const [from, to] = [cut(first.label, 20), cut(last.label, 20)]
  const legend =
    periodOf(series) === 'none'
      ? `${points.length} rows, from ${from} to ${to}`
      : `${from}${' '.repeat(Math.max(1, wide - widest - from.length - to.length - 2))}${to}`
  return [...drawn, `${' '.repeat(Math.min(widest + 2, 12))}${legend}`.slice(0, maxWidth)]
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
}

export function wrapped(text: string, width: number): string[] {
  const out: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const piece = cut(word, width)
    if (line !== '' && line.length + 1 + piece.length > width) {
      out.push(line)
      line = piece
    } else line = line === '' ? piece : `${line} ${piece}`
  }
  if (line !== '') out.push(line)
  return out
}

export function drawTextSkill(work: SkillRequest): SkillResponse {
  const series = parseTableSeries(requireText(work, 'table.series'))
  return {
    outputs: [{ name: 'chart.txt', media_type: 'text/plain', artifact_type: 'chart.text', text: drawTextChart(series) }],
    text: `Drew ${formatList(series.columns.slice(1, 4))} over ${series.rows.length} labels in plain characters, ${maxWidth} columns wide.`,
  }
}
