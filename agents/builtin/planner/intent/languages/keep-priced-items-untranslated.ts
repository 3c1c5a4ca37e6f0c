/** Excludes the names of priced items from the translation, because no list of phrases covers them: `3 Stühle zu 79,50`. */
import type { AnswerLanguage } from '../../../tools/answer-translation/answer-languages.ts'

type Links = {
  /** The price is of each. */
  readonly each: string
  /** The price is of all together. */
  readonly all: string
}

/** Chinese has another order of words. */
const links: { readonly [language in AnswerLanguage]: Links | null } = {
  de: { each: 'zu je|für je|zu|à|je', all: 'für|fuer' },
  fr: { each: 'à|au prix de', all: 'pour' },
  es: { each: 'a', all: 'por' },
  zh: null,
}

/** Without such a word, `3 heures à 5` is a time. */
const priceWords =
  /[€$£]|(?<!\p{L})(?:euros?|eur|rabatt|nachlass|skonto|mwst|ust|trinkgeld|remise|rabais|tva|pourboire|descuento|iva|propina|rebaja)(?!\p{L})/iu
const name = "\\p{L}[\\p{L}’'-]*(?: \\p{L}[\\p{L}’'-]*){0,2}"

/** @param keep hides a text from the translation */
export function keepPricedItemsUntranslated(text: string, language: AnswerLanguage, keep: (part: string) => string): string {
  const words = links[language]
  if (words === null || !priceWords.test(text)) return text
  const link = (which: string) => new RegExp(`(?<![\\p{L}\\d.,])(\\d+)(?: ?[x×])? (${name}?) (?:${which}) (?=[€$£]? ?\\d)`, 'giu')
  return text
    .replace(link(words.each), (_, count: string, item: string) => `${count} ${keep(item)} ${keep('at')} `)
    .replace(link(words.all), (_, count: string, item: string) => `${count} ${keep(item)} ${keep('for')} `)
}
