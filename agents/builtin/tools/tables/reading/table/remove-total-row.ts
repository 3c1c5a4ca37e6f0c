/** Recognises a last row that holds the totals of the rows above. */
import { type DecimalMark, detectDecimalMark, parseNumberCell } from '../../../../data/parse-number-cell.ts'
import { sumNumbers } from '../../computing/sum-numbers.ts'

type Rows = readonly (readonly string[])[]

const label =
  /^(?:(?:grand |sub|overall )?totals?|total (?:general|général|generale)|totaux|sums?|summe|summen|gesamt|gesamtsumme|insgesamt|endsumme|somme|suma|totale?|totaal|合计|总计|总和|总额|共计)[: ]*$/i

/** The rows without a last row of totals, and a note about it. A row without a name is one if all its numbers are sums. */
export function removeTotalRow(rows: Rows, mark: DecimalMark): { readonly rows: Rows; readonly note: string | undefined } {
  const last = rows.at(-1)
  if (!last || rows.length < 3) return { rows, note: undefined }
  const above = rows.slice(0, -1)
  const sums = last.flatMap((cell, index) => {
    const isSum =
      cell.trim() === ''
        ? undefined
        : isSumOf(
            cell,
            above.map((row) => row[index] ?? ''),
            mark,
          )
    return isSum === undefined ? [] : [isSum]
  })
  const first = last.find((cell) => cell.trim() !== '') ?? ''
  const isLabelled = label.test(first.trim())
  const isBare = (last[0] ?? '').trim() === '' && above.every((row) => (row[0] ?? '').trim() !== '')
  const isTotal = sums.some((one) => one)
  if (isLabelled)
    return {
      rows: above,
      note: isTotal
        ? `The last row, “${first.trim()}”, is left out, because it holds totals.`
        : `The last row, “${first.trim()}”, is left out. Its numbers are not the sums of the rows above.`,
    }
  if (isBare && isTotal && sums.every((one) => one) && last.filter((cell) => cell.trim() !== '').length === sums.length)
    return { rows: above, note: 'The last row is left out, because it has no name and its numbers are the sums of the rows above.' }
  return { rows, note: undefined }
}

/** Undefined if the cell or the column has no numbers. A cell may be rounded. */
function isSumOf(cell: string, above: readonly string[], otherwise: DecimalMark): boolean | undefined {
  const bare = [cell, ...above].map((one) => one.replace(/(?<!\s)\s*\p{L}{1,5}[²³]?$/u, '').trim())
  const mark = detectDecimalMark(
    bare.filter((one) => /\d/.test(one)),
    otherwise,
  )
  const [total, ...parts] = bare.map((one) => parseNumberCell(one, mark))
  const numbers = parts.flatMap((part) => (part.kind === 'number' ? [part.value] : []))
  if (total?.kind !== 'number' || numbers.length < 2) return undefined
  const sum = sumNumbers(numbers)
  return sum !== 0 && Math.abs(sum - total.value) <= 0.005 + Math.abs(sum) * 1e-9
}
