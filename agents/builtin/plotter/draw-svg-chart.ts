/** `chart.draw_svg`: an accessible SVG chart without scripts or remote references, for light and dark backgrounds. */
import * as echarts from 'echarts'
import { parseTableSeries, periodOf, pointsOf, type Series } from '../artifacts/table-series.ts'
import { formatList, formatNumber } from '../format-numbers-and-lists.ts'
import { refuse, requireText, type SkillRequest, type SkillResponse } from '../skill.ts'

const width = 800
const height = 460
/** Contrast of at least 3:1 against white and near-black. Dashes and markers differ, too. */
const colours = ['#2f7ed8', '#d9730d', '#2a9d74', '#b455c4', '#c23b4a', '#7a7f1f']
const ink = '#7b8290'
const maxSeries = colours.length

export function drawSvgChart(series: Series): string {
  const columns = series.columns.slice(1).map((name, index) => ({ name, index: index + 1 }))
  const drawn = columns.filter((column) => pointsOf(series, column.index).length > 0).slice(0, maxSeries)
  if (drawn.length === 0) refuse('The table holds no number to draw.')
  const timed = periodOf(series) !== 'none'
  const labels = series.rows.map((row) => row[0])
  const labelled = drawn.length === 1 && labels.length <= 12
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({
      animation: false,
      color: colours,
      textStyle: { fontFamily: 'system-ui, sans-serif', color: ink },
      title: { text: fitted(series.title, 84), left: 12, top: 10, textStyle: { fontSize: 15, fontWeight: 600, color: ink } },
      legend:
        drawn.length > 1 ? { top: 36, left: 12, textStyle: { color: ink }, data: drawn.map((column) => column.name) } : { show: false },
      grid: { left: 20, right: 28, top: drawn.length > 1 ? 84 : 72, bottom: 20, containLabel: true },
      xAxis: {
        type: 'category',
        data: labels.map((label) => fitted(label, 18)),
        boundaryGap: !timed || labelled,
        axisLine: { lineStyle: { color: ink } },
        axisLabel: { color: ink, hideOverlap: true, rotate: !timed && labels.length > 8 ? 35 : 0 },
      },
      yAxis: {
        type: 'value',
        name: series.unit,
        nameTextStyle: { color: ink, align: 'left' },
        axisLabel: { color: ink, formatter: (value: number) => formatNumber(value) },
        splitLine: { lineStyle: { color: ink, opacity: 0.25 } },
      },
      series: drawn.map((column, place) => ({
        name: column.name,
        type: timed ? 'line' : 'bar',
        data: series.rows.map((row) => (typeof row[column.index] === 'number' ? row[column.index] : null)),
        symbol: ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin'][place],
        symbolSize: labels.length > 60 ? 0 : 7,
        lineStyle: { width: 2.5, type: (['solid', 'dashed', 'dotted'] as const)[Math.floor(place / 2) % 3] ?? 'solid' },
        label: labelled
          ? { show: true, position: 'top', color: ink, formatter: ({ value }: { value: number }) => formatNumber(value) }
          : {},
      })),
    } as echarts.EChartsOption)
    return accessible(chart.renderToSVGString(), series, drawn)
  } finally {
    chart.dispose()
  }
}

/** Adds title and description with the figures, referenced by id. */
function accessible(svg: string, series: Series, drawn: readonly { name: string; index: number }[]): string {
  const sentences = drawn.map(({ name, index }) => {
    const points = pointsOf(series, index)
    const shown = points.length <= 40 ? points : [...points.slice(0, 20), ...points.slice(-20)]
    return `${name}: ${shown.map((point) => `${point.label} ${formatNumber(point.value)}`).join(', ')}.`
  })
  const description = `${series.unit ? `In ${series.unit}. ` : ''}${sentences.join(' ')} Source: ${series.source}`
  const head = `<title id="chart-title">${escaped(series.title)}</title><desc id="chart-desc">${escaped(description)}</desc>`
  return svg.replace(/^<svg\b([^>]*)>/, (_, attributes: string) => {
    const kept = attributes.replace(/\s(role|aria-[a-z]+)="[^"]*"/g, '')
    return `<svg${kept} role="img" aria-labelledby="chart-title chart-desc">${head}`
  })
}

function fitted(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

export function drawSvgSkill(work: SkillRequest): SkillResponse {
  const series = parseTableSeries(requireText(work, 'table.series'))
  const names = series.columns.slice(1, maxSeries + 1)
  return {
    outputs: [{ name: 'chart.svg', media_type: 'image/svg+xml', artifact_type: 'chart.svg', text: drawSvgChart(series) }],
    text: `Drew ${formatList(names)} over ${series.rows.length} labels as SVG.`,
  }
}
