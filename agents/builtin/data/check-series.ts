/** `figures.check`: missing numbers, repeated labels, and labels out of order. */
import { parseTableSeries, parseTimeLabel, type Series } from '../artifacts/table-series.ts'
import { formatList } from '../format-numbers-and-lists.ts'
import { requireText, type SkillRequest, type SkillResponse } from '../skill.ts'

export type SeriesCheck = {
  readonly rows: number
  readonly columns: number
  /** Labels of rows that lack a number. */
  readonly missing: readonly string[]
  /** Labels that occur more than once. */
  readonly repeated: readonly string[]
  readonly in_order: boolean
  readonly sound: boolean
}

export function checkSeries(series: Series): SeriesCheck {
  const labels = series.rows.map((row) => row[0])
  const missing = series.rows.filter((row) => row.slice(1).some((cell) => cell === null)).map((row) => row[0])
  const repeated = [...new Set(labels.filter((label, index) => labels.indexOf(label) !== index))]
  const places = labels.map((label) => parseTimeLabel(label)?.at)
  const in_order = places.every((at, index) => index === 0 || at === undefined || at > (places[index - 1] ?? Number.NEGATIVE_INFINITY))
  const sound = missing.length === 0 && repeated.length === 0 && in_order
  return { rows: labels.length, columns: series.columns.length - 1, missing, repeated, in_order, sound }
}

export function checkSeriesSkill(work: SkillRequest): SkillResponse {
  const check = checkSeries(parseTableSeries(requireText(work, 'table.series')))
  const faults = [
    ...(check.missing.length > 0 ? [`no number at ${formatList(check.missing.slice(0, 5))}`] : []),
    ...(check.repeated.length > 0 ? [`${formatList(check.repeated.slice(0, 5))} twice`] : []),
    ...(check.in_order ? [] : ['labels out of order']),
  ]
  const json = JSON.stringify(check, null, 1)
  return {
    outputs: [{ name: 'table-check.json', media_type: 'application/json', artifact_type: 'check.series', text: json }],
    text: check.sound ? `${check.rows} rows, none missing, none twice, in order.` : `${check.rows} rows: ${formatList(faults)}.`,
  }
}
