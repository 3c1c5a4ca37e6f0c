/** Writes numbers and amounts as words of German, French, Spanish or Chinese. */
import { toCardinal as german, toCurrency as germanAmount } from 'n2words/de-DE'
import { toCardinal as spanish, toCurrency as spanishAmount } from 'n2words/es-ES'
import { toCardinal as french, toCurrency as frenchAmount } from 'n2words/fr-FR'
import { toCardinal as chinese, toCurrency as chineseAmount } from 'n2words/zh-Hans-CN'
import type { AnswerLanguage, InEachLanguage } from '../answer-translation/answer-languages.ts'

type Spelling = { readonly integer: (text: string) => string; readonly amount: (text: string) => string; readonly currency: string }

const spellings: InEachLanguage<Spelling> = {
  de: { integer: (text) => german(text), amount: (text) => germanAmount(text), currency: 'EUR' },
  fr: { integer: (text) => french(text), amount: (text) => frenchAmount(text), currency: 'EUR' },
  es: { integer: (text) => spanish(text), amount: (text) => spanishAmount(text), currency: 'EUR' },
  zh: { integer: (text) => chinese(text), amount: (text) => chineseAmount(text), currency: 'CNY' },
}

/** @returns undefined for a fraction without a currency, and for a currency of which the language has no words here */
export function spellNumberInLanguage(text: string, language: AnswerLanguage, currency: string | undefined): string | undefined {
  const spelling = spellings[language]
  if (currency === spelling.currency) return spelling.amount(text)
  return currency === undefined && /^-?\d{1,30}$/.test(text) ? spelling.integer(text) : undefined
}
