/** The files that earlier steps would have made of a series, made by the built-in agents themselves. */
import { createHash } from 'node:crypto'
import { analyseTrend } from '../../../agents/builtin/analyst/analyse-trend.ts'
import type { Series } from '../../../agents/builtin/artifacts/table-series.ts'
import { drawTextChart } from '../../../agents/builtin/plotter/draw-text-chart.ts'
import type { RequestInput } from '../../../agents/builtin/skill.ts'

export function fileOf(type: string, name: string, media_type: string, text: string): RequestInput {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return {
    port: type.replace('.', '_'),
    type,
    text,
    artifact: { sha256, name, media_type, size: Buffer.byteLength(text), artifact_type: type },
  }
}

export function filesOf(series: Series): RequestInput[] {
  return [
    fileOf('table.series', 'figures.json', 'application/json', JSON.stringify(series)),
    fileOf('analysis.trend', 'trend.json', 'application/json', JSON.stringify(analyseTrend(series))),
    fileOf('chart.text', 'chart.txt', 'text/plain', drawTextChart(series)),
  ]
}
