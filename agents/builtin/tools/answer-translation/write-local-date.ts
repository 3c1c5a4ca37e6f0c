/** Writes dates, months, quarters and weekdays as a language does. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'

const english = 'January February March April May June July August September October November December'.split(' ')
const months: InEachLanguage<readonly string[]> = {
  de: 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' '),
  fr: 'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' '),
  es: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
  zh: english.map((_, index) => `${index + 1}月`),
}
const englishDays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const days: InEachLanguage<readonly string[]> = {
  de: 'Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag'.split(' '),
  fr: 'lundi mardi mercredi jeudi vendredi samedi dimanche'.split(' '),
  es: 'lunes martes miércoles jueves viernes sábado domingo'.split(' '),
  zh: '星期一 星期二 星期三 星期四 星期五 星期六 星期日'.split(' '),
}

export const englishDate = `\\d{1,2} (?:${english.join('|')}) \\d{1,4}`
export const englishWeekday = `(?:${englishDays.join('|')})`

/** The place of an English month or weekday in its list, by its name or its first three letters. */
const placeOf = (name: string, list: readonly string[]): number =>
  name.length < 3
    ? -1
    : list.findIndex((one) => one.toLowerCase() === name.toLowerCase() || one.slice(0, 3).toLowerCase() === name.toLowerCase())

/** `3 March 2027`; undefined if it is no such date. */
export function writeLocalDate(written: string, language: AnswerLanguage): string | undefined {
  const [, day = '', name = '', year = ''] = /^(\d{1,2}) (\p{L}+) (\d{1,4})$/u.exec(written) ?? []
  const month = months[language][placeOf(name, english)]
  if (month === undefined) return undefined
  switch (language) {
    case 'de':
      return `${day}. ${month} ${year}`
    case 'fr':
      return `${day === '1' ? '1er' : day} ${month} ${year}`
    case 'es':
      return `${day} de ${month} de ${year}`
    case 'zh':
      return `${year}年${month}${day}日`
  }
}

export const writeLocalWeekday = (name: string, language: AnswerLanguage): string | undefined => days[language][placeOf(name, englishDays)]

const quarterSigns: InEachLanguage<(quarter: string, year: string) => string> = {
  de: (quarter, year) => `Q${quarter}${year === '' ? '' : ` ${year}`}`,
  fr: (quarter, year) => `T${quarter}${year === '' ? '' : ` ${year}`}`,
  es: (quarter, year) => `T${quarter}${year === '' ? '' : ` ${year}`}`,
  zh: (quarter, year) => `${year === '' ? '' : `${year}年`}第${quarter}季度`,
}

/** `March`, or `March 2027`. */
export function writeLocalMonth(name: string, year: string, language: AnswerLanguage): string | undefined {
  const month = months[language][placeOf(name, english)]
  if (month === undefined) return undefined
  if (year === '') return month
  return { de: `${month} ${year}`, fr: `${month} ${year}`, es: `${month} de ${year}`, zh: `${year}年${month}` }[language]
}

/** A date, month, quarter, weekday or year as a table tool names it; undefined for other words. */
export function writeLocalTime(written: string, language: AnswerLanguage): string | undefined {
  if (/^\d{4}(?:-\d{2}-\d{2})?$/.test(written)) return language === 'zh' && written.length === 4 ? `${written}年` : written
  const place = ['first', 'second', 'third', 'fourth'].indexOf(/^(\w+) quarter$/.exec(written)?.[1] ?? '')
  if (place >= 0) return quarterSigns[language](String(place + 1), '')
  const quarter = /^q([1-4])(?: (?:of )?(\d{4}))?$/i.exec(written)
  if (quarter) return quarterSigns[language](quarter[1] ?? '', quarter[2] ?? '')
  const month = /^(\p{L}+)(?: (?:of )?(\d{4}))?$/u.exec(written)
  return (
    (month && writeLocalMonth(month[1] ?? '', month[2] ?? '', language)) ??
    writeLocalDate(written, language) ??
    writeLocalWeekday(written.replace(/(?<=day)s$/, ''), language)
  )
}
