/** Requests in other languages that can be restated in English as a whole, from their measures, numbers or dates. */
import type { AnswerLanguage, InEachLanguage } from '../../../tools/answer-translation/answer-languages.ts'
import { findDateForm } from '../../../tools/numbers/date-list-question.ts'
import { findMeasures } from '../../../tools/numbers/formulas/find-measures.ts'
import { readEverydayFormula, writeFormulaProblem } from '../../../tools/numbers/formulas/read-everyday-formula.ts'
import { formatRational } from '../../../tools/numbers/rational.ts'
import { restateClockQuestion } from './restate-clock-question.ts'

/** A sentence that a tool reads. Undefined if the request is none of these. */
export function restateInEnglish(text: string, language: AnswerLanguage, hasFiles = false): string | undefined {
  if (hasFiles) return restateReplacement(text, language) ?? restateImageColours(text)
  const formula = readEverydayFormula(text, language)
  if (formula) return writeFormulaProblem(formula)
  return restateSpelling(text, language) ?? restateDateForm(text) ?? restateClockQuestion(text, language)
}

const replacements: InEachLanguage<RegExp> = {
  de: /^(?:bitte )?(?:ersetze?|tausche?)(?: bitte)? (?<old>.+?) (?:durch|gegen|mit) (?<new>.+?)(?: (?:überall|in|im|auf)(?!\p{L}).*)?[.!]?$/iu,
  fr: /^(?:remplace[rz]?|change[rz]?)(?: s'il (?:te|vous) plaît)? (?<old>.+?) par (?<new>.+?)(?: (?:partout|dans|sur)(?!\p{L}).*)?[.!]?$/iu,
  es: /^(?:por favor,? )?(?:reemplaza|sustituye|cambia)r? (?<old>.+?) por (?<new>.+?)(?: (?:en|siempre)(?!\p{L}).*)?[.!]?$/iu,
  zh: /^(?:请)?(?:把|将)(?:文中的|文件里的|信里的)?(?<old>.+?)(?:都|全部|全)?(?:替换成|替换为|换成|改成|改为)(?<new>.+?)[。！]?$/u,
}
const maxReplaced = 80
const withoutQuotes = (text: string): string => text.replace(/^["“„«»'‘’”]+|(?<!["“”„«»'‘’])["“”„«»'‘’]+$/gu, '').trim()

function restateReplacement(text: string, language: AnswerLanguage): string | undefined {
  const groups = text.trim().includes('\n') ? undefined : replacements[language].exec(text.trim())?.groups
  const [old, other] = [withoutQuotes(groups?.old ?? ''), withoutQuotes(groups?.new ?? '')]
  const isShort = [old, other].every((part) => part !== '' && part.length <= maxReplaced && !/[“”"]/.test(part))
  return isShort ? `Replace “${old}” with “${other}”` : undefined
}

const blackAndWhite = /schwarz[- ]?(?:und )?[- ]?weiß|graustufen|noir et blanc|niveaux de gris|blanco y negro|escala de grises|黑白|灰度/iu
const imageNoun = /bild|foto|image|photo|imagen|图片|照片|图/iu

/** Only what changes its colours: a request for more is left to the words. */
function restateImageColours(text: string): string | undefined {
  const isOnly = text.length <= 80 && !/\d/.test(text) && !/(?<!\p{L})(?:und|et|y)(?!\p{L})|[,，]/iu.test(text.replace(blackAndWhite, ' '))
  return isOnly && blackAndWhite.test(text) && imageNoun.test(text) ? 'Convert the image to black and white' : undefined
}

const asksForWords: InEachLanguage<RegExp> = {
  de: /\bin (?:worten|buchstaben)\b|\bausgeschrieben\b|\bausschreiben\b/iu,
  fr: /\ben (?:toutes )?lettres\b/iu,
  es: /\b(?:en|con) (?:letras?|palabras)\b/iu,
  zh: /大写|用汉字|中文数字/u,
}
const otherLanguage =
  /\b(?:englisch|französisch|spanisch|chinesisch|anglais|allemand|espagnol|chinois|inglés|alemán|francés|chino)\p{L}*|英文|英语|德语|法语/iu
const maxSpelling = 160

function restateSpelling(text: string, language: AnswerLanguage): string | undefined {
  if (text.length > maxSpelling || !asksForWords[language].test(text) || otherLanguage.test(text)) return undefined
  const { measures } = findMeasures(text, language)
  const [one] = measures
  if (!one || measures.length > 1 || (one.kind !== 'bare' && one.kind !== 'money')) return undefined
  const currency = one.kind === 'bare' ? '' : { '€': ' euros', 元: ' yuan' }[one.symbol]
  if (currency === undefined) return undefined
  const number = formatRational(one.value).replaceAll(',', '')
  return currency === '' && number.includes('.') ? undefined : `Write ${number}${currency} in words`
}

const isoDates = /(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)/g

/** Only dates that are the same in all languages. */
function restateDateForm(text: string): string | undefined {
  const form = findDateForm(text)
  const dates = text.match(isoDates) ?? []
  const rest = text.replace(isoDates, ' ')
  return form === undefined || dates.length === 0 || /\d/.test(rest) ? undefined : `Write as ${form}: ${dates.join(', ')}`
}

/** `JJ/MM/AAAA` is French, `TT.MM.JJJJ` German and `DD/MM/AAAA` Spanish. */
export function languageOfDateForm(text: string): AnswerLanguage | undefined {
  if (/\bTT[./-]MM\b/.test(text)) return 'de'
  if (/\bJJ[./-]MM\b/.test(text)) return 'fr'
  return /\bDD[./-]MM[./-]AAAA\b/.test(text) ? 'es' : undefined
}
