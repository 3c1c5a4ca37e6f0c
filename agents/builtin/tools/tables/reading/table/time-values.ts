/** Points in time as cells and questions write them: years, quarters, months and days. */

export type TimePeriod = 'year' | 'quarter' | 'month' | 'day'

/** Parts that the text leaves out are undefined. `order`: sorts values of one column. */
export type TimeValue = {
  readonly period: TimePeriod
  readonly year: number | undefined
  readonly month: number | undefined
  readonly day: number | undefined
  readonly order: number
}

export type DayOrder = 'day first' | 'month first'

export const months = 'January February March April May June July August September October November December'.split(' ')
export const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** 1 to 12, by an English name, its first three letters, or the German name. */
export function monthOfName(word: string): number | undefined {
  const lower = word.toLowerCase().replace(/\.$/, '')
  if (lower === 'sept') return 9
  const german = ['januar', 'februar', 'märz', 'april', 'mai', 'juni', 'juli', 'august', 'september', 'oktober', 'november', 'dezember']
  const index = months.findIndex(
    (name, at) => name.toLowerCase() === lower || name.slice(0, 3).toLowerCase() === lower || german[at] === lower,
  )
  return index >= 0 ? index + 1 : undefined
}

/** Months as tables in other languages write them, full or abbreviated, without marks above the letters. */
const foreignMonths = [
  'janner jan janvier janv enero ene 一月',
  'feber febr fevrier fev fevr febrero feb 二月',
  'mar marz maerz mrz mars marzo 三月',
  'apr avril avr abril abr 四月',
  'mai mayo may 五月',
  'jun juin junio 六月',
  'jul juillet juil julio 七月',
  'aug aout agosto ago 八月',
  'sep sept septembre septiembre 九月',
  'okt octobre octubre oct 十月',
  'nov novembre noviembre 十一月',
  'dez decembre dec diciembre dic 十二月',
].map((names) => names.split(' '))

/** 1 to 12, by a name of the month in a cell. In a question, such words may have other meanings. */
function monthOfCell(word: string): number | undefined {
  const plain = word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replace(/\.$/, '')
  const index = foreignMonths.findIndex((names) => names.includes(plain))
  return monthOfName(word) ?? (index >= 0 ? index + 1 : undefined)
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

function timeValue(period: TimePeriod, year: number | undefined, month?: number, day?: number): TimeValue | undefined {
  if (year !== undefined && (year < 1000 || year > 2200)) return undefined
  if (month !== undefined && (month < 1 || month > 12)) return undefined
  if (day !== undefined && (day < 1 || day > daysIn(year ?? 2000, month ?? 1))) return undefined
  return { period, year, month, day, order: (year ?? 0) * 372 + ((month ?? 1) - 1) * 31 + ((day ?? 1) - 1) }
}

const fullYear = (text: string): number => (text.length === 2 ? Number(text) + (Number(text) < 70 ? 2000 : 1900) : Number(text))
const time = String.raw`(?:[T ,]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[AaPp][Mm])?(?:Z| ?UTC|[+-]\d{2}:?\d{2})?)?`
const isoDay = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${time}$`)
const numericDay = new RegExp(String.raw`^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})${time}$`)
const dayMonth = new RegExp(
  String.raw`^(?:[A-Za-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th|\.)?[ -](?:of )?([\p{L}]{3,9})\.?,?[ -](\d{4}|\d{2})${time}$`,
  'u',
)
const monthDay = new RegExp(String.raw`^(?:[A-Za-z]{3,9},? )?([\p{L}]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${time}$`, 'u')

/** The time that a cell names, or undefined. */
export function parseTimeCell(cell: string, order: DayOrder = 'day first'): TimeValue | undefined {
  const text = cell.trim()
  if (text.length > 40 || text.length < 2) return undefined
  const chinese = /^(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})[日号])?$/.exec(text)
  if (chinese) {
    const [, year, month, day] = chinese
    const named = year === undefined ? undefined : Number(year)
    return day === undefined ? timeValue('month', named, Number(month)) : timeValue('day', named, Number(month), Number(day))
  }
  if (text.length < 3) return undefined
  const iso = isoDay.exec(text)
  if (iso) return timeValue('day', Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numeric = numericDay.exec(text)
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[3])]
    const isDayFirst = order === 'day first'
    return timeValue('day', fullYear(numeric[4] ?? ''), isDayFirst ? second : first, isDayFirst ? first : second)
  }
  const named = dayMonth.exec(text)
  if (named) return withMonth(named[2], (month) => timeValue('day', fullYear(named[3] ?? ''), month, Number(named[1])))
  const american = monthDay.exec(text)
  if (american) return withMonth(american[1], (month) => timeValue('day', Number(american[3]), month, Number(american[2])))
  return parsePeriod(text)
}

const withMonth = (name: string | undefined, build: (month: number) => TimeValue | undefined): TimeValue | undefined => {
  const month = monthOfCell(name ?? '')
  return month === undefined ? undefined : build(month)
}

/** `2024`, `FY 2024`, `2024 Q1`, `Q1`, `2024-03`, `03/2024`, `Mar 2024`, `March`. */
function parsePeriod(text: string): TimeValue | undefined {
  const year = /^(?:FY ?|fiscal year )?((?:1[5-9]|20|21)\d\d)$/i.exec(text)
  if (year) return timeValue('year', Number(year[1]))
  const quarter = /^(?:(\d{4})[ \-/]?Q([1-4])|Q([1-4])(?:[ \-/]?(?:FY ?)?(\d{4}|'?\d{2}))?)$/i.exec(text)
  if (quarter) {
    const ofYear = quarter[1] ?? quarter[4]?.replace("'", '')
    return timeValue('quarter', ofYear === undefined ? undefined : fullYear(ofYear), (Number(quarter[2] ?? quarter[3]) - 1) * 3 + 1)
  }
  const yearMonth = /^(\d{4})[-/.](\d{1,2})$/.exec(text)
  if (yearMonth) return timeValue('month', Number(yearMonth[1]), Number(yearMonth[2]))
  const monthYear = /^(\d{1,2})[/.](\d{4})$/.exec(text)
  if (monthYear) return timeValue('month', Number(monthYear[2]), Number(monthYear[1]))
  const named = /^(\p{L}{3,9})\.?(?:[ \-/]*'?(\d{4}|\d{2}))?$/u.exec(text)
  if (named) return withMonth(named[1], (month) => timeValue('month', named[2] === undefined ? undefined : fullYear(named[2]), month))
  const reverse = /^(\d{4})[ \-/](\p{L}{3,9})$/u.exec(text)
  return reverse ? withMonth(reverse[2], (month) => timeValue('month', Number(reverse[1]), month)) : undefined
}

/** Whether the day or the month stands first in cells such as 3/4/2024; the cells that allow one reading only decide. */
export function detectDayOrder(cells: readonly string[]): DayOrder {
  let [isMonthSecondImpossible, isMonthFirstImpossible, slashes] = [false, false, 0]
  for (const cell of cells) {
    const match = numericDay.exec(cell.trim())
    if (!match) continue
    if (Number(match[1]) > 12) isMonthFirstImpossible = true
    if (Number(match[3]) > 12) isMonthSecondImpossible = true
    if (match[2] === '/') slashes++
  }
  if (isMonthFirstImpossible) return 'day first'
  return isMonthSecondImpossible || slashes > 0 ? 'month first' : 'day first'
}

/** True if every numeric date of the cells could be read both ways. */
export const hasOpenDayOrder = (cells: readonly string[]): boolean => {
  const matches = cells.map((cell) => numericDay.exec(cell.trim())).filter((match) => match !== null)
  return (
    matches.length > 0 &&
    matches.every((match) => Number(match[1]) <= 12 && Number(match[3]) <= 12) &&
    matches.some((match) => match[2] === '/' && match[1] !== match[3])
  )
}

export type TimePart = 'year' | 'quarter' | 'month' | 'month of year' | 'weekday' | 'day'

export const quarterOf = (month: number): number => Math.ceil(month / 3)

/** The name of the part in which a time lies, such as `March 2024` for its month. Undefined if the time is less exact. */
export function partOf(value: TimeValue, part: TimePart): { readonly name: string; readonly order: number } | undefined {
  const { year, month, day } = value
  const of = year === undefined ? '' : ` ${year}`
  switch (part) {
    case 'year':
      return year === undefined ? undefined : { name: String(year), order: year }
    case 'quarter':
      return month === undefined ? undefined : { name: `Q${quarterOf(month)}${of}`, order: (year ?? 0) * 4 + quarterOf(month) }
    case 'month':
      return month === undefined || value.period === 'quarter'
        ? undefined
        : { name: `${months[month - 1]}${of}`, order: (year ?? 0) * 12 + month }
    case 'month of year':
      return month === undefined || value.period === 'quarter' ? undefined : { name: months[month - 1] ?? '', order: month }
    case 'weekday': {
      if (year === undefined || month === undefined || day === undefined) return undefined
      const index = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7
      return { name: weekdays[index] ?? '', order: index }
    }
    case 'day':
      if (year === undefined || month === undefined || day === undefined) return undefined
      return { name: `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`, order: value.order }
  }
}
