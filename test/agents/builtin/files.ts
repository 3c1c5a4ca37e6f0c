/** The files that earlier steps would have made of a series, made by the house agents themselves. */
import { createHash } from 'node:crypto'
import { analyse } from '../../../agents/builtin/analyst/trend.ts'
import type { Series } from '../../../agents/builtin/artifacts/table-series.ts'
import { drawText } from '../../../agents/builtin/plotter/text.ts'
import type { WorkInput } from '../../../agents/builtin/skill.ts'

export function fileOf(type: string, name: string, media_type: string, text: string): WorkInput {
  const sha256 = createHash('sha256').update(text).digest('hex')
  return {
    port: type.replace('.', '_'),
    type,
    text,
    artifact: { sha256, name, media_type, size: Buffer.byteLength(text), artifact_type: type },
  }
}

export function filesOf(series: Series): WorkInput[] {
  return [
    fileOf('table.series', 'figures.json', 'application/json', JSON.stringify(series)),
    fileOf('analysis.trend', 'trend.json', 'application/json', JSON.stringify(analyse(series))),
    fileOf('chart.text', 'chart.txt', 'text/plain', drawText(series)),
  ]
}
