/** Reads labels with numbers, such as “rent 950, groceries 312.40”, as a table of two columns. */
import { detectLanguage } from '../detect-language.ts'
import { removeFillerWords } from '../remove-filler-words.ts'
import { type TableBlock, writeCsvRows } from './table-block.ts'

type Labelled = { readonly label: string; readonly number: string }

const number = String.raw`[-−+]?(?:[$€£]\s?)?\d[\d.,']*(?:\s?(?:%|[$€£]|EUR|USD|GBP|CHF|kg|g|km|m|h|l))?`
const labelled = new RegExp(String.raw`^[-*•]?\s*([\p{L}\p{N}][^:=\n,;|]{0,59}?)(?: ?[:=–] ?| - | )(${number})$`, 'iu')
const bareNumber = new RegExp(`^${number}$`, 'iu')

/** A label with one of these words is part of a sentence, a price or a condition. */
const sentenceWords = /\b(?:at|for|of|is|are|was|with|by|to|from|than|over|under|per|each|every|times|plus|minus|x)\b|[?!]/i

/** `week 1` has its number behind it. */
const period =
  '(?:q|kw|week|day|month|quarter|year|hour|lap|round|game|trial|run|test|woche|tag|monat|quartal|jahr|runde|semaine|jour|mois|trimestre|semana|día|mes)'
const numberedPeriod = new RegExp(`^${period} ?\\d{1,3}$`, 'iu')
const onePeriod = `${period} ?\\d{1,3} ?[:=] ?${number}`
/** “Chart of week 1: 12, week 2: 18” has no colon before its labels. */
const numberedPeriods = new RegExp(`(?<!\\p{L})${onePeriod}(?:,? (?:and |und |et |y )?${onePeriod})+`, 'iu')

/** Characters of a label with its number. The pattern takes more than linear time. */
const maxLabelled = 90

function readLabelled(text: string): Labelled | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxLabelled) return undefined
  const [, label = '', amount = ''] = labelled.exec(trimmed.replace(/\s+/g, ' ')) ?? []
  const isDate = /^\d{1,2}\.? \p{L}+$|\d{4}-\d{2}/u.test(label) && /^(?:19|20)\d\d$/.test(amount)
  // “Ann 0171 5550123” has a telephone number.
  const endsWithDigit = /\p{L}.*\d$/u.test(label) && !numberedPeriod.test(label)
  return label === '' || isDate || endsWithDigit || sentenceWords.test(label) || !/\p{L}|^\d{4}$/u.test(label)
    ? undefined
    : { label, number: amount }
}

const days =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\.?$/iu
const months =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember|mär|okt|dez|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\.?$/iu

/** The usual headings in the languages that are read. */
const headings = {
  en: { day: 'day', month: 'month', year: 'year', item: 'item', position: 'position', amount: 'amount' },
  de: { day: 'Tag', month: 'Monat', year: 'Jahr', item: 'Posten', position: 'Position', amount: 'Betrag' },
  fr: { day: 'jour', month: 'mois', year: 'année', item: 'poste', position: 'rang', amount: 'montant' },
  es: { day: 'día', month: 'mes', year: 'año', item: 'concepto', position: 'posición', amount: 'importe' },
  zh: { day: '日', month: '月', year: '年', item: '项目', position: '序号', amount: '数值' },
} as const
type Headings = { readonly [name in keyof (typeof headings)['en']]: string }

type Language = keyof typeof headings

function languageOf(text: string): Language {
  const code = detectLanguage(text)
  return Object.hasOwn(headings, code) ? (code as Language) : 'en'
}

/** “1.200” is one thousand and two hundred where the decimal mark is a comma. */
const withoutThousands = (amount: string, language: Language): string =>
  language === 'en' || language === 'zh'
    ? amount
    : amount.replace(/(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.])/, (digits) => digits.replaceAll('.', ''))

function labelHeading(labels: readonly string[], usual: Headings): string {
  if (labels.every((label) => days.test(label))) return usual.day
  if (labels.every((label) => months.test(label))) return usual.month
  const periods = new Set(labels.map((label) => (numberedPeriod.test(label) ? label.replace(/(?<![\d\s])[\d\s]+$/, '').toLowerCase() : '')))
  const [named = ''] = periods
  if (periods.size === 1 && named !== '') return named
  return labels.every((label) => /^(?:19|20)\d\d$/.test(label)) ? usual.year : usual.item
}

const genericWords = new Set(
  'data numbers values this these those following below items is are as it csv pairs figures results here with and of for aus von mit de des con del'.split(
    ' ',
  ),
)

/** Words of the request do not name the numbers. */
const isRequestWord = (word: string): boolean =>
  /chart|graph|plot|diagram|gr[aá]fic|graf[ie]k|tab[el]+|list|sort|total|summe?|somme|average|mean/.test(word)

/** The last words before the numbers name them, and perhaps the labels: “my expenses:”, “sales by rep:”. */
function headingsIn(before: string, label: string, amount: string): readonly [label: string, value: string] {
  const end = removeFillerWords(before.slice(-100).replace(/(?<![\s:：])[\s:：]+$/, ''), '').replace(/(?<![\s:：.?])[\s:：.?]+$/, '')
  const [, word = '', other = ''] = /([\p{L}-]{3,30})(?: (?:per|by) (\p{L}{2,30}))?$/u.exec(end.toLowerCase()) ?? []
  const isName = (one: string): boolean => one !== '' && !genericWords.has(one) && !isRequestWord(one)
  // “Rank these by population” names the numbers, “sales by rep” the labels.
  if (!isName(word)) return [label, isName(other) ? other : amount]
  return [isName(other) ? other : label, word === label ? amount : word]
}

function blockOf(block: string, pairs: readonly Labelled[], text: { readonly before: string; readonly whole: string }): TableBlock {
  const language = languageOf(text.whole.replace(block, ' '))
  const usual = headings[language]
  const heading = labelHeading(
    pairs.map(({ label }) => label),
    usual,
  )
  return {
    block,
    table: writeCsvRows([
      headingsIn(text.before, heading, usual.amount),
      ...pairs.map((one) => [one.label, withoutThousands(one.number, language)]),
    ]),
  }
}

/** Numbers with different units cannot stand in one column: “500 g” and “2 kg”. */
const haveOneUnit = (numbers: readonly string[]): boolean =>
  new Set(numbers.map((one) => one.replace(/[-−+\d.,'\s]/g, '').toLowerCase())).size === 1

/** At least two consecutive lines, each with a label and a number of the same unit. */
export function labelledNumbersInLines(lines: readonly string[]): TableBlock | undefined {
  for (let start = 0; start < lines.length; start++) {
    const pairs: Labelled[] = []
    for (let pair = readLabelled(lines[start] ?? ''); pair; pair = readLabelled(lines[start + pairs.length] ?? '')) pairs.push(pair)
    // A part of the lines would be another table.
    if (pairs.length > 1 && !haveOneUnit(pairs.map((one) => one.number))) return undefined
    if (pairs.length > 1) {
      const above = lines.slice(0, start).findLast((line) => line.trim() !== '') ?? ''
      // A question above the numbers does not name them.
      const before = /[?？]\s*$/.test(above) ? '' : above
      return blockOf(lines.slice(start, start + pairs.length).join('\n'), pairs, { before, whole: lines.join('\n') })
    }
  }
  return undefined
}

/** Each colon is tried with the rest of its line. */
const maxColons = 6

/** After a colon, in one line: labels with numbers, or numbers alone. */
export function labelledNumbersInLine(text: string): TableBlock | undefined {
  const periods = text.length > 4_000 ? undefined : numberedPeriods.exec(text)
  const labelledPeriods = periods?.[0].split(/,? (?:and |und |et |y )?(?=\p{L})/u).flatMap((part) => readLabelled(part) ?? []) ?? []
  if (periods && labelledPeriods.length > 1 && haveOneUnit(labelledPeriods.map((one) => one.number)))
    return blockOf(periods[0], labelledPeriods, { before: text.slice(0, periods.index), whole: text })
  for (const { index } of text.matchAll(/[:：](?=\s)/g).take(maxColons)) {
    const [line = ''] = text
      .slice(index + 1)
      .trimStart()
      .split('\n')
    // What follows in the line is a sentence of its own.
    const [list = ''] = line.trim().split(/[.;?!]\s+(?=\p{Lu})/u)
    const block = list.replace(/(?<![.;])[.;]+$/, '')
    const parts = block.split(/[,;]\s+(?:and\s+|und\s+|et\s+|y\s+)?|\s+(?:and|und|et|y)\s+/)
    if (parts.length < 2) continue
    const pairs = parts.flatMap((part) => readLabelled(part) ?? [])
    const before = text.slice(0, index)
    if (!haveOneUnit(pairs.length === parts.length ? pairs.map((one) => one.number) : parts)) continue
    if (pairs.length === parts.length) return blockOf(block, pairs, { before, whole: text })
    if (parts.length > 2 && parts.every((part) => part.length <= maxLabelled && bareNumber.test(part))) {
      const language = languageOf(text.replace(block, ' '))
      const rows = parts.map((part, position) => [`#${position + 1}`, withoutThousands(part, language)])
      const usual = headings[language]
      return { block, table: writeCsvRows([headingsIn(before, usual.position, usual.amount), ...rows]) }
    }
  }
  return undefined
}
