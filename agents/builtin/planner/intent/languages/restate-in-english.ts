/** Requests in other languages that can be restated in English as a whole, from their measures, numbers or dates. */
import type { AnswerLanguage, InEachLanguage } from '../../../tools/answer-translation/answer-language.ts'
import { findMeasures } from '../../../tools/numbers/formulas/find-measures.ts'
import { readFormula, writeFormulaProblem } from '../../../tools/numbers/formulas/read-formula.ts'
import { formatRational } from '../../../tools/numbers/rational.ts'
import { findDateForm } from '../../../tools/numbers/read-date-list.ts'

/** A sentence that a tool reads. Undefined if the request is none of these. */
export function restateInEnglish(text: string, language: AnswerLanguage): string | undefined {
  const formula = readFormula(text, language)
  if (formula) return writeFormulaProblem(formula)
  return restateSpelling(text, language) ?? restateDateForm(text)
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
