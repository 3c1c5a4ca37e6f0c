/// <reference lib="esnext.temporal" />
import { type DateContext, monthNames, monthNumber } from './find-dates.ts'

const month = `(${monthNames.join('|')}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`
const day = '(\\d{1,2})(?:st|nd|rd|th)?'
const to = '( ?(?:to|until|till|through|and|-|–) ?)'
const year = '(?:,? (\\d{4}))?'
const bare = month.slice(1, -1)
/** Not "January 15 and 20 March", and not "March 3 to 5 April": each day has a month of its own. */
const dayFirst = new RegExp(`(?<!\\b(?:${bare}) )\\b${day}${to}(?:the )?${day}(?: of)? ${month}${year}\\b`, 'g')
const monthFirst = new RegExp(`\\b${month} ${day}${to}${day}\\b(?! (?:of )?(?:${bare}))${year}`, 'g')
const counted = '(?:working|work|business|weekend|week)[ -]?days?|weekends?|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays'
const ofMonth = new RegExp(`\\b(${counted})((?: (?:are|is|there|do we have|were|will be))*) in (?:the month of )?${month}${year}$`)

/**
 * Ranges of days in full: "from 1 to 31 December 2026" is "from 1 December 2026 to 31 December 2026". "Working days in December 2026"
 * counts from its first to its last day. `isInclusive`: both ends count because the words name a whole month.
 */
export function completeDateRanges(text: string, { today }: DateContext): { readonly text: string; readonly isInclusive: boolean } {
  const ranged = text.replace(dayFirst, '$1 $4 $5 $2 $3 $4 $5').replace(monthFirst, '$2 $1 $5 $3 $4 $1 $5').replace(/ +/g, ' ').trim()
  const [whole, unit = '', verbs = '', name = '', asked] = ofMonth.exec(ranged) ?? []
  const number = monthNumber(name)
  if (whole === undefined || number === undefined) return { text: ranged, isInclusive: false }
  const inYear = Number(asked ?? today.year)
  const { daysInMonth } = Temporal.PlainYearMonth.from({ year: inYear, month: number })
  const range = `from 1 ${name} ${inYear} to ${daysInMonth} ${name} ${inYear}`
  return { text: `${ranged.slice(0, ranged.length - whole.length)}${unit}${verbs} ${range}`, isInclusive: true }
}
