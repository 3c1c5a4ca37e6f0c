/** Translates a request to English phrase by phrase, without a model. The tools parse the English text. */
import { escapePattern } from '../../../escape-pattern.ts'
import type { AnswerLanguage } from '../../../tools/answer-translation/answer-languages.ts'
import { chineseToEnglishPhrases } from './chinese-to-english-phrases.ts'
import { frenchToEnglishPhrases } from './french-to-english-phrases.ts'
import { germanToEnglishPhrases } from './german-to-english-phrases.ts'
import { keepPricedItemsUntranslated } from './keep-priced-items-untranslated.ts'
import { type LanguagePhrases, plainForm } from './parse-phrase-list.ts'
import { spanishToEnglishPhrases } from './spanish-to-english-phrases.ts'
import { englishMonths, toEnglishNumberFormat } from './to-english-number-format.ts'

const phrasesOf: { readonly [language in AnswerLanguage]: LanguagePhrases } = {
  de: germanToEnglishPhrases,
  fr: frenchToEnglishPhrases,
  es: spanishToEnglishPhrases,
  zh: chineseToEnglishPhrases,
}

const asciiMarks: { readonly [mark: string]: string } = { '？': '?', '！': '!', '，': ',', '。': '.', '；': ';', '、': ',' }

/** Quoted material and addresses keep their words. */
const kept = /["“”„«»][^"“”„«»]{1,8000}["“”»«]|`[^`]{1,8000}`|https?:\/\/\S+|[\w.+-]+@[\w-]+\.[\w.-]+/g
/** Longer requests are stories, in which single phrases mean little. */
const maxRequestLength = 1_500

/** Headings and cells of the attached tables. */
export type TableNames = { readonly columns: readonly string[]; readonly cells: readonly string[] }
const noNames: TableNames = { columns: [], cells: [] }

type Translation = {
  /** In English, with the words that no phrase covers as they are. */
  readonly text: string
  /** Words in the order of the text that no phrase covers. */
  readonly unknown: readonly string[]
}

/**
 * The request in English. Material in quotation marks, after the last colon or below an empty line stays as it is.
 *
 * @param names which no phrase may change; a noun that means the same as a heading becomes that heading
 */
export function translateRequestToEnglish(text: string, language: AnswerLanguage, { columns, cells }: TableNames = noNames): Translation {
  const { request, material } = splitMaterial(text, columns.length > 0)
  if (request.length > maxRequestLength) return { text, unknown: [] }
  const rewritten = phrasesOf[language].rewrite(request)
  if (rewritten !== undefined) return { text: `${rewritten}${material}`, unknown: [] }
  const keptParts: string[] = []
  const keep = (part: string): string => ` \uE000${keptParts.push(part) - 1}\uE001 `
  const plain = keepPricedItemsUntranslated(toEnglishNumberFormat(request.replace(kept, keep), language), language, keep)
  const { words, unknown } = translateWords(withNames(plain, [...columns, ...cells], keep), phrasesOf[language], columnsByMeaning(columns))
  const ordered = phrasesOf[language].orders.reduce((before, [pattern, order]) => before.replace(pattern, order), tidy(words))
  const restored = tidy(ordered).replace(/\uE000(\d+)\uE001/g, (_, index: string) => keptParts[Number(index)] ?? '')
  return { text: `${restored}${material}`, unknown }
}

/** The request, and the material below an empty line or after the last colon. */
function splitMaterial(text: string, hasTable: boolean): { readonly request: string; readonly material: string } {
  const trimmed = text.trim()
  const gap = trimmed.search(/\n[ \t]*\n/)
  if (gap > 0) return { request: trimmed.slice(0, gap), material: trimmed.slice(gap) }
  // Beside an attached table, a colon stands before the question itself.
  if (hasTable) return { request: trimmed, material: '' }
  const colon = trimmed.search(/(?:[:：](?=\s)|：)/)
  // What asks again after a colon is no material.
  const isAskedAfter =
    !trimmed.includes('\n') && trimmed.length < 400 && /\?/.test(trimmed.slice(colon + 1)) && /\d/.test(trimmed.slice(colon + 1))
  if (colon < 0 || colon === trimmed.length - 1 || isAskedAfter) return { request: trimmed, material: '' }
  return { request: trimmed.slice(0, colon), material: `: ${trimmed.slice(colon + 1).trim()}` }
}

const isHan = (name: string): boolean => /^\p{Script=Han}/u.test(name)

/** Names of at least three letters are kept where they stand as whole words; Chinese has two letters and no spaces. */
function withNames(text: string, names: readonly string[], keep: (part: string) => string): string {
  const known = [...new Set(names)].filter((name) => name.trim().length > (isHan(name) ? 1 : 2)).sort((a, b) => b.length - a.length)
  if (known.length === 0) return text
  const whole = known.filter((name) => !isHan(name)).map((name) => `(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`)
  const pattern = new RegExp([...whole, ...known.filter(isHan).map(escapePattern)].join('|'), 'giu')
  return text.replace(pattern, keep)
}

const tokenPattern = /\uE000\d+\uE001|\p{Script=Han}+|[\p{L}\p{M}]+(?:[’'][\p{L}\p{M}]+)*|\d[\d.,]*(?:\/\d+)?|\s+|./gu

/** Columns by what their names mean in English: `amount` for Betrag. */
function columnsByMeaning(columns: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const column of columns)
    for (const { phrases } of Object.values(phrasesOf)) {
      const meaning = phrases.get(plainForm(column))
      if (meaning && !columns.some((other) => plainForm(other) === meaning)) found.set(meaning, column)
    }
  return found
}

function translateWords(
  text: string,
  language: LanguagePhrases,
  columns: ReadonlyMap<string, string>,
): { readonly words: string; readonly unknown: string[] } {
  const tokens = [...(text.match(tokenPattern) ?? [])].flatMap(language.splitToken)
  const unknown: string[] = []
  const words: string[] = []
  for (let at = 0; at < tokens.length; ) {
    const found = longestPhrase(tokens, at, language)
    if (found) {
      words.push(` ${columns.get(found.english) ?? found.english} `)
      at = found.end
      continue
    }
    const token = tokens[at] ?? ''
    if (/\p{L}/u.test(token) && !englishMonths.includes(token)) noteUnknown(unknown, token, tokens[at - 1])
    words.push(language.isSpaced ? token : ` ${token} `)
    at += 1
  }
  return { words: words.join(''), unknown }
}

/** Han characters without a phrase that stand together are one word. */
function noteUnknown(unknown: string[], token: string, before: string | undefined): void {
  const last = unknown.at(-1)
  const isHan = /^\p{Script=Han}$/u.test(token)
  if (isHan && last !== undefined && before !== undefined && last.endsWith(before) && /\p{Script=Han}$/u.test(last))
    unknown[unknown.length - 1] = last + token
  else unknown.push(token)
}

type FoundPhrase = { readonly english: string; readonly end: number }

/** The longest phrase that starts at a token. Spaces between words count as one. */
function longestPhrase(tokens: readonly string[], at: number, language: LanguagePhrases): FoundPhrase | undefined {
  let [phrase, best]: [string, FoundPhrase | undefined] = ['', undefined]
  for (let end = at; end < tokens.length && phrase.length <= language.longest; end++) {
    const token = tokens[end] ?? ''
    if (token.startsWith('\uE000')) break
    phrase += /^\s+$/.test(token) ? ' ' : plainForm(token)
    const english = language.phrases.get(phrase)
    if (english !== undefined) best = { english, end: end + 1 }
  }
  return best
}

const tidy = (text: string): string =>
  text
    .replace(/[¿¡]/g, ' ')
    .replace(/[？！，。；、]/g, (mark) => `${asciiMarks[mark]} `)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ([,.?!;])/g, '$1')
    // Polite words leave their commas.
    .replace(/,(?:\s*,)+/g, ',')
    .replace(/^[,\s]+|,(?=\s*(?:[.?!]|$))/g, '')
    .trim()
