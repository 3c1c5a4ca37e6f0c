/** Gives a date without a year the year that the same goal gives for this day. */
import { monthNames } from './find-dates.ts'

const month = monthNames.join('|')
const dayFirst = `(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${month})`
const monthFirst = `(${month}) (\\d{1,2})(?:st|nd|rd|th)?`

/** `14 March 2025 …, and 180 days after 14 March` speaks of one day. Days that stand with two years stay as they are. */
export function fillMissingYears(text: string): string {
  const years = new Map<string, string>()
  const note = (day: string, name: string, year: string): void => {
    const key = `${Number(day)} ${name.toLowerCase()}`
    years.set(key, years.has(key) && years.get(key) !== year ? '' : year)
  }
  for (const [, day = '', name = '', year = ''] of text.matchAll(new RegExp(`\\b${dayFirst},? (\\d{4})\\b`, 'gi'))) note(day, name, year)
  for (const [, name = '', day = '', year = ''] of text.matchAll(new RegExp(`\\b${monthFirst},? (\\d{4})\\b`, 'gi'))) note(day, name, year)
  if (years.size === 0) return text
  const withYear = (written: string, day: string, name: string): string => {
    const year = years.get(`${Number(day)} ${name.toLowerCase()}`)
    return year ? `${written} ${year}` : written
  }
  return text
    .replace(new RegExp(`\\b${dayFirst}\\b(?!,? \\d)`, 'gi'), (written, day: string, name: string) => withYear(written, day, name))
    .replace(new RegExp(`\\b${monthFirst}\\b(?!,? \\d)`, 'gi'), (written, name: string, day: string) => withYear(written, day, name))
}
