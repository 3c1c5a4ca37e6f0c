/** Parses one cell of a table: missing, a number in one of the usual formats, or words. */

/** The decimal mark. It is detected for a whole column, because `1,234` is ambiguous. */
export type DecimalMark = '.' | ','

export type Cell =
  | { readonly kind: 'missing' }
  | { readonly kind: 'number'; readonly value: number; readonly percent: boolean; readonly currency: string | undefined }
  | { readonly kind: 'words'; readonly text: string }

const missing = /^(|-|–|—|n\/?a|null|none|nan|\.{1,3}|\?|missing|unknown)$/i
const currencies: { readonly [mark: string]: string } = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' }

export function parseNumberCell(raw: string, mark: DecimalMark): Cell {
  const text = raw.replace(/[\u00a0\u2009\u202f]/g, ' ').trim()
  if (missing.test(text)) return { kind: 'missing' }
  let body = text.replace(/[\u2212\u2013]/g, '-')
  const bracketed = /^\((.+)\)$/.exec(body)
  if (bracketed) body = `-${bracketed[1]?.trim()}`
  const currency = /[$€£¥]/.exec(body)?.[0]
  body = body
    .replace(/[$€£¥]/, '')
    .replace(/^-\s+/, '-')
    .trim()
  const isPercent = body.endsWith('%')
  if (isPercent) body = body.slice(0, -1).trim()
  const value = readNumber(body, mark)
  if (value === undefined) return { kind: 'words', text }
  return { kind: 'number', value, percent: isPercent, currency: currency ? currencies[currency] : undefined }
}

function readNumber(body: string, mark: DecimalMark): number | undefined {
  const grouped = mark === '.' ? /^[-+]?\d{1,3}(([,' ])\d{3})(\2\d{3})*(\.\d+)?$/ : /^[-+]?\d{1,3}(([.' ])\d{3})(\2\d{3})*(,\d+)?$/
  const plain = mark === '.' ? /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,3})?$/i : /^[-+]?(\d+,?\d*|,\d+)(e[-+]?\d{1,3})?$/i
  let digits: string
  if (plain.test(body)) digits = body
  else if (grouped.test(body)) digits = body.replace(mark === '.' ? /[,' ]/g : /[.' ]/g, '')
  else return undefined
  const value = Number(mark === ',' ? digits.replace(',', '.') : digits)
  return Number.isFinite(value) ? value : undefined
}

/**
 * The decimal mark of a column. Cells with both marks, with a repeated mark, or without exactly three digits after the mark decide.
 * @param otherwise the mark if no cell decides
 */
export function detectDecimalMark(cells: readonly string[], otherwise: DecimalMark = '.'): DecimalMark {
  let point = 0
  let comma = 0
  for (const cell of cells) {
    const lastPoint = cell.lastIndexOf('.')
    const lastComma = cell.lastIndexOf(',')
    if (lastPoint >= 0 && lastComma >= 0) lastPoint > lastComma ? point++ : comma++
    else if (lastComma >= 0) {
      if (cell.indexOf(',') !== lastComma) point++
      else if (!/,\d{3}(\D|$)/.test(cell)) comma++
    } else if (lastPoint >= 0) {
      if (cell.indexOf('.') !== lastPoint) comma++
      else if (!/\.\d{3}(\D|$)/.test(cell)) point++
    }
  }
  if (comma === point) return otherwise
  return comma > point ? ',' : '.'
}
