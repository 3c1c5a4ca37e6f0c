/** Slots for the answers on formats. */
import cronstrue from 'cronstrue/i18n.js'
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import { formatToolFragments } from './format-tool-fragments.ts'
import { fragment, listWriter, withCapital } from './list-writer.ts'
import type { SlotKind, SlotWriter } from './sentence-template.ts'
import { writeLocalNumber } from './write-local-number.ts'

const locales: InEachLanguage = { de: 'de', fr: 'fr', es: 'es', zh: 'zh_CN' }
const daily: InEachLanguage = { de: ', jeden Tag', fr: ', tous les jours', es: ', todos los días', zh: '，每天' }

/** What an expression means, if the English is exactly that of the expression. */
function meaningOf(cron: string, english: string, language: AnswerLanguage): string | undefined {
  const isDaily = english.endsWith(', every day')
  const plain = isDaily ? english.slice(0, -', every day'.length) : english
  try {
    if (cronstrue.toString(cron, { use24HourTimeFormat: true }) !== plain) return undefined
    const meaning = cronstrue.toString(cron, { use24HourTimeFormat: true, locale: locales[language] })
    return `${language === 'zh' ? meaning.replace(/ {2,}/g, ' ').replace(/, /g, '，') : meaning}${isDaily ? daily[language] : ''}`
  } catch {
    return undefined
  }
}

const itMeans: InEachLanguage = { de: '. Er bedeutet: ', fr: '. Elle signifie\u00A0: ', es: '. Significa: ', zh: '。含义：' }

/** `*\/15 * * * *. It means: Every 15 minutes` */
const cronMeaning: SlotWriter = (text, { language }) => {
  const [cron = '', english] = text.split('. It means: ')
  const meaning = english === undefined ? undefined : meaningOf(cron, english, language)
  return meaning === undefined ? undefined : `${cron}${itMeans[language]}${meaning}`
}

const cronExplanation: SlotWriter = (text, { language }) => {
  const [, cron = '', english = ''] = /^([^\s:]+(?: [^\s:]+){4,6}|@\w+): (.+)$/.exec(text) ?? []
  const meaning = cron === '' ? undefined : meaningOf(cron, english, language)
  return meaning === undefined ? undefined : `${cron}${{ de: ': ', fr: '\u00A0: ', es: ': ', zh: '：' }[language]}${meaning}`
}

const inEnglish: InEachLanguage = { de: 'auf Englisch: ', fr: 'en anglais\u00A0: ', es: 'en inglés: ', zh: '（英文）' }

/** A fault without a template stays English, which the words before it say. */
const jsonFault: SlotWriter = (text, context) =>
  fragment(formatToolFragments.jsonFaults)(text, context) ?? `${inEnglish[context.language]}${text}`

const verdicts: { readonly [verdict: string]: InEachLanguage } = {
  passes: { de: 'bestanden', fr: 'réussi', es: 'cumple', zh: '通过' },
  fails: { de: 'nicht bestanden', fr: 'échoué', es: 'no cumple', zh: '未通过' },
}

const unchangedIf =
  (pattern: RegExp): SlotWriter =>
  (text) =>
    pattern.test(text) ? text : undefined

/** `255 (decimal) = FF (hexadecimal)`. */
const basedNumber: SlotWriter = (text, context) => {
  const [, digits, base = ''] = /^(\S+) \(([a-z]+(?: \d+)?)\)$/.exec(text) ?? []
  const name = digits === undefined ? undefined : fragment(formatToolFragments.baseNames)(base, context)
  return name === undefined ? undefined : context.language === 'zh' ? `${digits}（${name}）` : `${digits} (${name})`
}
const basedNumbers: SlotWriter = (text, context) => {
  const parts = text.split(' = ').map((part) => basedNumber(part, context))
  return parts.length < 2 || parts.includes(undefined) ? undefined : parts.join(' = ')
}

const nothing: InEachLanguage = { de: 'nichts', fr: 'rien', es: 'nada', zh: '无' }
/** `1 = "a", name = nothing` */
const matchGroups: SlotWriter = (text, { language }) => text.replace(/(?<= = )nothing(?=, |$)/g, nothing[language])

/** The name of a codec starts the answer. */
const title: SlotWriter = (text, context) => {
  const written = fragment(formatToolFragments.resultTitles)(text, context)
  return written === undefined || context.language === 'zh' ? written : withCapital(written)
}

const englishNumberWord =
  '(?:minus|point|and|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|[a-z]+illion|[a-z]*(?:first|second|third|[a-z]th)|dollars?|euros?|pounds?|yuan|fen|cents?|penny|pence)'
const englishNumberWords = new RegExp(`^${englishNumberWord}(?:[ ,-]+${englishNumberWord})*$`)

export const formatToolSlots: { readonly [kind: string]: SlotKind } = {
  resultTitle: { write: title },
  codecName: { write: fragment(formatToolFragments.codecNames) },
  jsonRepairs: { write: listWriter(fragment(formatToolFragments.jsonRepairs), { separators: /; /g }) },
  jsonFault: { write: jsonFault },
  jsonPlace: { write: fragment(formatToolFragments.jsonPlaces) },
  verdict: { pattern: /passes|fails/y, write: (text, { language }) => verdicts[text]?.[language] },
  colours: { write: unchangedIf(/^[#\w(),.%°/ -]+(?: = [#\w(),.%°/ -]+)*$/) },
  cronMeaning: { write: cronMeaning },
  cronExplanation: { write: cronExplanation },
  matchResult: { write: fragment(formatToolFragments.matchResults) },
  moreMatches: { write: fragment(formatToolFragments.moreMatches) },
  matchGroups: { write: matchGroups },
  quotedMatch: { write: unchangedIf(/^".*"$/s) },
  basedNumbers: { write: basedNumbers },
  romanPair: { write: unchangedIf(/^(?:\d+ = [IVXLCDM]+|[IVXLCDM]+ = \d+)$/) },
  integer: { write: (text, { language }) => (/^-?\d+(?:,\d{3})*$/.test(text) ? writeLocalNumber(text, language) : undefined) },
  englishWords: { write: unchangedIf(englishNumberWords) },
  localWords: { write: unchangedIf(/^\p{L}[\p{L} ,-]+$/u) },
}
