/** The rules that decide a criterion on any deliverable, without a model and without an agent. */
import { findUnit } from '../../tools/numbers/find-unit.ts'

/** What a rule looks for. `unit`: a symbol or a name. `code`: an ISO 639-1 language. Bounds are inclusive. */
export type CriterionRule =
  | { readonly kind: 'table'; readonly min: number; readonly max: number | null }
  | { readonly kind: 'columns'; readonly names: readonly string[] }
  | { readonly kind: 'number'; readonly unit: string | null }
  | { readonly kind: 'file'; readonly type: FileType }
  | { readonly kind: 'language'; readonly code: string }
  | { readonly kind: 'words'; readonly min: number; readonly max: number | null }
  | { readonly kind: 'mentions'; readonly terms: readonly string[]; readonly isForbidden: boolean }

/** File types by the word for them, each with its media types. */
export const fileTypes = {
  pdf: ['application/pdf'],
  svg: ['image/svg+xml'],
  png: ['image/png'],
  jpeg: ['image/jpeg'],
  csv: ['text/csv'],
  json: ['application/json'],
  html: ['text/html'],
  markdown: ['text/markdown'],
  yaml: ['application/yaml', 'text/yaml'],
  xml: ['application/xml', 'text/xml'],
  text: ['text/plain'],
} as const
export type FileType = keyof typeof fileTypes

const numerals = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
const amount = String.raw`(\d[\d,]*|${numerals.slice(1).join('|')})`
const count = (text: string): number => (/^\d/.test(text) ? Number(text.replace(/,/g, '')) : numerals.indexOf(text.toLowerCase()))
const bound = `(at least|no fewer than|a minimum of|more than|at most|no more than|a maximum of|fewer than|up to|exactly)?`

/** Both bounds of "at most 50"; a bare number is exact for rows, and a minimum for words. */
function boundsOf(word: string | undefined, number: number, isBareExact: boolean): { min: number; max: number | null } {
  switch (word?.toLowerCase()) {
    case 'more than':
      return { min: number + 1, max: null }
    case 'fewer than':
      return { min: 0, max: number - 1 }
    case 'at most':
    case 'no more than':
    case 'a maximum of':
    case 'up to':
      return { min: 0, max: number }
    case 'exactly':
      return { min: number, max: number }
    case undefined:
      return { min: number, max: isBareExact ? number : null }
    default:
      return { min: number, max: null }
  }
}

const languages: { readonly [name: string]: string } = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  polish: 'pl',
  chinese: 'zh',
  japanese: 'ja',
  russian: 'ru',
}
const languageWord = Object.keys(languages).join('|')
const typeWord = 'pdf|svg|png|jpe?g|csv|json|html|markdown|ya?ml|xml|plain text'

function fileTypeOf(word: string): FileType {
  const known: { readonly [word: string]: FileType } = { jpg: 'jpeg', yml: 'yaml', 'plain text': 'text' }
  const lower = word.toLowerCase()
  return known[lower] ?? (lower as FileType)
}

type Reader = (text: string) => CriterionRule | null

const table: Reader = (text) => {
  const rows = new RegExp(`\\b${bound}\\s*${amount}(?: data)? (?:rows|lines|records|entries)\\b`, 'i').exec(text)
  if (rows && /\b(?:table|csv|list|result|file)\b/i.test(text)) return { kind: 'table', ...boundsOf(rows[1], count(rows[2] ?? ''), true) }
  return /\b(?:is|as|contains?|holds?|has) an? table\b/i.test(text) && !/\d/.test(text) ? { kind: 'table', min: 1, max: null } : null
}

const columns: Reader = (text) => {
  if (!/\bcolumns?\b/i.test(text)) return null
  const names = quotedIn(text)
  return names.length > 0 ? { kind: 'columns', names } : null
}

const number: Reader = (text) => {
  const match =
    /\b(?:states?|gives?|contains?|is|names?) an? (?:number|figure|value|amount)(?: (?:with the unit|in|of|with unit) ["“]?([\p{L}°%€$£][\p{L}°%€$£/²³ ]{0,30}?)["”]?)?[.!]?$/iu.exec(
      text.trim(),
    )
  if (!match) return null
  const unit = match[1]?.trim() ?? null
  if (unit === null || /^(?:a |the )?unit$/i.test(unit)) return { kind: 'number', unit: null }
  // “A figure in text format” names no unit, and neither do “a value in column B” and “a number in words”.
  return isUnit(unit) || /with (?:the )?unit/i.test(match[0]) ? { kind: 'number', unit } : null
}

const isUnit = (text: string): boolean =>
  /^(?:[%€$£]|[A-Z]{3}|[Ee]uros?|[Dd]ollars?|[Pp]ercent)$/u.test(text) || findUnit(text) !== undefined

const file: Reader = (text) => {
  const match = new RegExp(
    `\\b(?:(?:file|deliverable|result|answer|image|picture|chart)s? (?:is|are|comes? as|is delivered as|has the type)|file type(?: is)?|delivered as|there is) (?:an? |the )?(?:valid )?(${typeWord})\\b`,
    'i',
  ).exec(text)
  return match ? { kind: 'file', type: fileTypeOf(match[1] ?? '') } : null
}

const language: Reader = (text) => {
  const match = new RegExp(`\\b(?:in|language(?: is|:)?|written in) (${languageWord})\\b`, 'i').exec(text)
  return match ? { kind: 'language', code: languages[(match[1] ?? '').toLowerCase()] ?? 'en' } : null
}

const words: Reader = (text) => {
  const match = new RegExp(`\\b${bound}\\s*${amount} words\\b`, 'i').exec(text)
  return match ? { kind: 'words', ...boundsOf(match[1], count(match[2] ?? ''), false) } : null
}

const mentions: Reader = (text) => {
  if (!/\b(?:mention|name|state|contain|include|say|use|quote)/i.test(text)) return null
  const terms = quotedIn(text)
  return terms.length > 0 ? { kind: 'mentions', terms, isForbidden: negation.test(text) } : null
}

const quotedIn = (text: string): string[] => [...text.matchAll(/["“]([^"”]{1,200})["”]/g)].map((match) => match[1] ?? '')

const negation = /\b(?:not|never|nowhere|without|avoids?|except|unless|nor)\b|\bno\b(?! (?:fewer|less|more) than)/i
const readers: readonly Reader[] = [words, table, columns, language, file, number, mentions]

/** The rule that decides a criterion; null if none does. */
export function readCriterionRule(text: string): CriterionRule | null {
  // A rule looks for something present. It would read "no table" as a request for one.
  if (negation.test(text)) return mentions(text)
  for (const read of readers) {
    const rule = read(text)
    if (rule) return rule
  }
  return null
}
