/// <reference lib="esnext.temporal" />
/** Reads the date that the client says today is. */
import { type DateContext, type Day, findDates } from './find-dates.ts'

/** `rest`: the text without that clause. */
export type StatedToday = { readonly rest: string; readonly today: Day | undefined; readonly ambiguous: readonly string[] }

const clause =
  /(?:^|[,;(]? )(?:and |if |when |since |as |given (?:that )?|assuming (?:that )?|where |with )?(?:today(?:'s| is|’s|:| being|s| =)(?: the)?(?: date)?(?: is)?|it(?:'s| is|’s) (?:now|currently)|today's date is) §(\d+)(?: today)?\)?(?=$|[\s.,;?!)])[.,;]?/i

/** Undefined `today`: the text does not say it. */
export function readStatedToday(text: string, context: DateContext): StatedToday {
  const none = { rest: text, today: undefined, ambiguous: [] }
  const found = findDates(text.replace(/\btoday(?=(?:'s|’s|s)? (?:is |the |date |being )?)/gi, '¶'), context)
  if (!found || found.dates.length === 0) return none
  const marked = found.text.replaceAll('¶', 'today')
  const match = clause.exec(marked)
  const stated = found.dates[Number(match?.[1])]
  if (!match || !stated?.hasYear || stated.isRelative) return none
  const rest = `${marked.slice(0, match.index)}${/^[.?!\n]/.test(marked.slice(match.index).trimStart()) ? '' : ' '}${marked.slice(match.index + match[0].length)}`
  const written = rest.replace(/§(\d+)/g, (_whole, index: string) => found.dates[Number(index)]?.text.replaceAll('¶', 'today') ?? '')
  return {
    rest: written
      .replace(/^[\s,.;]+/, '')
      .replace(/(?<!\s)\s+([?.,])/g, '$1')
      .trim(),
    today: stated.day,
    ambiguous: stated.isAmbiguous ? [stated.text] : [],
  }
}
