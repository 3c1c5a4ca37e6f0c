/** Draws bar, line and pie charts as SVG without scripts or remote references. All text is escaped. */
import { writeNumber } from './write-numbers.ts'

export type TableChartKind = 'bar' | 'line' | 'pie'

/** `text`: the value as the table writes it, with its unit. */
export type TableChartPoint = { readonly label: string; readonly value: number | null; readonly text: string }
export type TableChartSeries = { readonly name: string; readonly points: readonly TableChartPoint[] }
/** All series have the same labels in the same order. */
export type TableChart = { readonly kind: TableChartKind; readonly title: string; readonly series: readonly TableChartSeries[] }

/** Contrast of at least 3:1 against white and near-black. */
const colours = ['#2f7ed8', '#d9730d', '#2a9d74', '#b455c4', '#c23b4a', '#7a7f1f', '#4a6572', '#8d5524']
const ink = '#6b7280'
const width = 800
const top = 64

const escaped = (text: string): string =>
  text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
const fitted = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`)
const place = (value: number): string => String(Math.round(value * 100) / 100)
const colourAt = (index: number): string => colours[index % colours.length] ?? ink

type TextStyle = { readonly anchor?: 'start' | 'middle' | 'end'; readonly size?: number; readonly weight?: number; readonly turn?: number }

function textAt(x: number, y: number, text: string, { anchor = 'start', size = 13, weight = 400, turn = 0 }: TextStyle = {}): string {
  const turned = turn === 0 ? '' : ` transform="rotate(${turn} ${place(x)} ${place(y)})"`
  return `<text x="${place(x)}" y="${place(y)}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${ink}"${turned}>${escaped(text)}</text>`
}

/** The complete picture, with a title and a description for readers that do not see it. */
export function drawTableChart(chart: TableChart): string {
  const { body, height } = chart.kind === 'pie' ? drawPie(chart) : chart.kind === 'line' ? drawLines(chart) : drawBars(chart)
  const description = chart.series
    .map(({ name, points }) => `${name}: ${points.map(({ label, text }) => `${label} ${text}`).join(', ')}.`)
    .join(' ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="chart-title chart-desc" font-family="system-ui, sans-serif">`,
    `<title id="chart-title">${escaped(chart.title)}</title>`,
    `<desc id="chart-desc">${escaped(fitted(description, 4_000))}</desc>`,
    textAt(16, 28, fitted(chart.title, 92), { size: 16, weight: 600 }),
    ...body,
    '</svg>',
    '',
  ].join('\n')
}

type Drawing = { readonly body: readonly string[]; readonly height: number }

/** Names of several series under the title. */
function legend(series: readonly TableChartSeries[]): string[] {
  if (series.length < 2) return []
  const step = Math.floor((width - 32) / series.length)
  return series.flatMap(({ name }, index) => [
    `<rect x="${16 + index * step}" y="40" width="12" height="12" fill="${colourAt(index)}"/>`,
    textAt(34 + index * step, 51, fitted(name, Math.floor(step / 8) - 2)),
  ])
}

const valuesOf = ({ series }: TableChart): number[] =>
  series.flatMap(({ points }) => points.flatMap(({ value }) => (value === null ? [] : [value])))

/** Horizontal bars, which leave room for long labels. */
function drawBars(chart: TableChart): Drawing {
  const labels = chart.series[0]?.points.map(({ label }) => label) ?? []
  const values = valuesOf(chart)
  const longest = Math.min(Math.max(...labels.map(({ length }) => length), 4), 30)
  const left = 32 + longest * 7.2
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const scale = (width - left - 130) / (high - low || 1)
  const zero = left - low * scale + (low < 0 ? 60 : 0)
  const [bar, gap] = chart.series.length > 1 ? [18, 14] : [24, 10]
  const group = bar * chart.series.length + gap
  const body = labels.flatMap((label, at) => {
    const y = top + at * group
    const bars = chart.series.flatMap(({ points }, index) => {
      const { value = null, text = '' } = points[at] ?? {}
      const size = Math.abs(value ?? 0) * scale * (low < 0 ? 0.9 : 1)
      const x = (value ?? 0) < 0 ? zero - size : zero
      const end =
        (value ?? 0) < 0
          ? textAt(x - 6, y + index * bar + bar * 0.7, text, { anchor: 'end' })
          : textAt(x + size + 6, y + index * bar + bar * 0.7, text)
      return [`<rect x="${place(x)}" y="${y + index * bar}" width="${place(size)}" height="${bar - 2}" fill="${colourAt(index)}"/>`, end]
    })
    const middle = y + (bar * chart.series.length) / 2 + 4
    return [textAt(left - 12, middle, fitted(label, 30), { anchor: 'end' }), ...bars]
  })
  const bottom = top + labels.length * group
  const axis = `<line x1="${place(zero)}" y1="${top - 4}" x2="${place(zero)}" y2="${bottom}" stroke="${ink}"/>`
  return { body: [...legend(chart.series), ...body, axis], height: bottom + 20 }
}

/** Steps of 1, 2 or 5 times a power of ten that cover the values. */
function axisSteps(values: readonly number[]): number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const start = low >= 0 && low < high * 0.75 ? 0 : low
  const span = high - start || Math.abs(high) || 1
  const power = 10 ** Math.floor(Math.log10(span / 4))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => span / size <= 5) ?? span
  const first = Math.floor(start / step)
  const last = Math.max(Math.ceil(high / step), first + 1)
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)))
}

function drawLines(chart: TableChart): Drawing {
  const height = 460
  const labels = chart.series[0]?.points.map(({ label }) => label) ?? []
  const steps = axisSteps(valuesOf(chart))
  const texts = steps.map((step) => writeNumber(step, 10))
  const isTurned = labels.length > 8 || labels.some(({ length }) => length > 12)
  const left = Math.max(28 + Math.max(...texts.map(({ length }) => length)) * 7.2, isTurned ? 76 : 0)
  const bottom = height - (isTurned ? 110 : 44)
  const [low = 0, high = 1] = [steps[0], steps.at(-1)]
  const xOf = (at: number): number => left + 20 + (labels.length < 2 ? 0 : (at * (width - left - 60)) / (labels.length - 1))
  const yOf = (value: number): number => bottom - ((value - low) / (high - low)) * (bottom - top - 12)
  const grid = steps.flatMap((step, index) => [
    `<line x1="${place(left)}" y1="${place(yOf(step))}" x2="${width - 20}" y2="${place(yOf(step))}" stroke="${ink}" stroke-opacity="0.25"/>`,
    textAt(left - 8, yOf(step) + 4, texts[index] ?? '', { anchor: 'end', size: 12 }),
  ])
  const every = Math.ceil(labels.length / 24)
  const names = labels.flatMap((label, at) =>
    at % every === 0
      ? [
          textAt(
            xOf(at),
            bottom + 20,
            fitted(label, isTurned ? 16 : 14),
            isTurned ? { anchor: 'end', size: 12, turn: -40 } : { anchor: 'middle', size: 12 },
          ),
        ]
      : [],
  )
  const isLabelled = chart.series.length === 1 && labels.length <= 15
  const lines = chart.series.flatMap(({ points }, index) => drawLine(points, { xOf, yOf, colour: colourAt(index), isLabelled }))
  return { body: [...legend(chart.series), ...grid, ...names, ...lines], height }
}

type LineFrame = {
  readonly xOf: (at: number) => number
  readonly yOf: (value: number) => number
  readonly colour: string
  readonly isLabelled: boolean
}

/** A missing value interrupts the line. */
function drawLine(points: readonly TableChartPoint[], { xOf, yOf, colour, isLabelled }: LineFrame): string[] {
  const path = points
    .map(({ value }, at) =>
      value === null ? '' : `${at === 0 || points[at - 1]?.value === null ? 'M' : 'L'}${place(xOf(at))} ${place(yOf(value))}`,
    )
    .join('')
  const marks = points.flatMap(({ value, text }, at) =>
    value === null
      ? []
      : [
          `<circle cx="${place(xOf(at))}" cy="${place(yOf(value))}" r="${points.length > 60 ? 1.5 : 4}" fill="${colour}"/>`,
          ...(isLabelled ? [textAt(xOf(at), yOf(value) - 10, text, { anchor: 'middle', size: 12 })] : []),
        ],
  )
  return [`<path d="${path}" fill="none" stroke="${colour}" stroke-width="2.5"/>`, ...marks]
}

/** Slices from the top, clockwise, with a list of labels, values and shares. */
function drawPie({ series }: TableChart): Drawing {
  const points = series[0]?.points ?? []
  const total = points.reduce((sum, { value }) => sum + (value ?? 0), 0)
  const [x, y, radius] = [200, top + 160, 150]
  let turned = 0
  const slices = points.map(({ value }, index) => {
    const share = total === 0 ? 0 : (value ?? 0) / total
    const [from, to] = [turned, turned + share]
    turned = to
    if (share >= 0.99999) return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colourAt(index)}"/>`
    const at = (part: number): string =>
      `${place(x + radius * Math.sin(2 * Math.PI * part))} ${place(y - radius * Math.cos(2 * Math.PI * part))}`
    return `<path d="M${x} ${y}L${at(from)}A${radius} ${radius} 0 ${share > 0.5 ? 1 : 0} 1 ${at(to)}Z" fill="${colourAt(index)}" stroke="#ffffff" stroke-width="1.5"/>`
  })
  const list = points.flatMap(({ label, value, text }, index) => [
    `<rect x="400" y="${top + 12 + index * 28}" width="14" height="14" fill="${colourAt(index)}"/>`,
    textAt(424, top + 24 + index * 28, `${fitted(label, 26)}: ${text} (${shareOf(value ?? 0, total)})`),
  ])
  return { body: [...slices, ...list], height: Math.max(top + 340, top + 30 + points.length * 28) }
}

/** `42.1%`. */
export const shareOf = (value: number, total: number): string => (total === 0 ? '–' : `${writeNumber((value / total) * 100, 1)}%`)
