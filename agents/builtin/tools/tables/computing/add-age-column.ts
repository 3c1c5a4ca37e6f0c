/** Computes ages from a column of birth dates at the date that a question states. */
import type { DataTable, TableColumn } from '../reading/table/read-attached-table.ts'
import { months, parseTimeCell, type TimeValue } from '../reading/table/time-values.ts'

export type AgeQuestion = {
  readonly question: string
  readonly table: DataTable
  readonly age: TableColumn | undefined
  /** True if an age is asked for and no date is stated. */
  readonly isDateMissing: boolean
}

const birthName = /birth|born|\bdob\b|geburt|\bbday\b/i
const ageWords = /\b(?:how old|ages?|aged|older|younger|years old)\b/i
const statedDate =
  /(?<![\s(,])[\s(,]*(?:\b(?:today|now|currently)\b[\s,(]*)?(?:\b(?:is|being|means)\s+)?(?:\b(?:on|as of|at|as at|by|per)\s+)?(?:the )?\b(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}(?:st|nd|rd|th|\.)? (?:of )?[A-Za-z]{3,9}\.?,? \d{4}|[A-Za-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})\)?/i

/** The column of birth dates to the day, if the table has one and no column of ages. */
export function birthColumn(table: DataTable): TableColumn | undefined {
  if (table.columns.some(({ kind, name }) => kind === 'number' && /\bage\b/i.test(name))) return undefined
  return table.columns.find(
    ({ kind, name, times }) =>
      kind === 'time' && birthName.test(name.replace(/_/g, ' ')) && times.every((time) => !time || time.period === 'day'),
  )
}

/** Adds a column of ages where a question asks for them. The date leaves the question. */
export function addAgeColumn(question: string, table: DataTable): AgeQuestion {
  const birth = ageWords.test(question) ? birthColumn(table) : undefined
  const same: AgeQuestion = { question, table, age: undefined, isDateMissing: false }
  if (!birth) return same
  const [phrase, text = ''] = statedDate.exec(question) ?? []
  const date = parseTimeCell(text.replace(/\b(\d{1,2})\. /, '$1 '), 'day first')
  const isAmbiguous = /^\d{1,2}\/\d{1,2}\//.test(text) && text.split('/').every((part, index) => index === 2 || Number(part) <= 12)
  if (date?.period !== 'day' || phrase === undefined || isAmbiguous) return { ...same, isDateMissing: true }
  const name = `age on ${date.day} ${months[(date.month ?? 1) - 1]} ${date.year}`
  const numbers = birth.times.map((time) => (time ? ageAt(time, date) : null))
  const age: TableColumn = {
    name,
    index: table.columns.length,
    kind: 'number',
    cells: numbers.map((value) => (value === null ? '' : String(value))),
    numbers,
    times: [],
    unit: '',
    decimals: 0,
    isAmount: false,
  }
  return { question: question.replace(phrase, ' '), table: { ...table, columns: [...table.columns, age] }, age, isDateMissing: false }
}

/** Whole years. A person who is born later has no age. */
function ageAt(birth: TimeValue, date: TimeValue): number | null {
  const years = (date.year ?? 0) - (birth.year ?? 0)
  const isBefore = (date.month ?? 0) * 31 + (date.day ?? 0) < (birth.month ?? 0) * 31 + (birth.day ?? 0)
  const age = isBefore ? years - 1 : years
  return age < 0 ? null : age
}
