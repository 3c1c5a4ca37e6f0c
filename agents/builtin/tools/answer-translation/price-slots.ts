/** Slots for amounts of money, terms of loans and scaled lists. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import { fragment, listWriter } from './list-writer.ts'
import { priceFragments } from './price-fragments.ts'
import type { SlotKind, SlotWriter } from './sentence-template.ts'
import { writeCountedNoun } from './write-counted-noun.ts'
import { englishNumber, writeLocalNumber, writeLocalNumbers, writeLocalPercent } from './write-local-number.ts'

const currencyWords: { readonly [word: string]: InEachLanguage } = {
  dollars: { de: 'Dollar', fr: 'dollars', es: 'dólares', zh: '美元' },
  pounds: { de: 'Pfund', fr: 'livres', es: 'libras', zh: '英镑' },
  quid: { de: 'Pfund', fr: 'livres', es: 'libras', zh: '英镑' },
  yuan: { de: 'Yuan', fr: 'yuans', es: 'yuanes', zh: '元' },
  francs: { de: 'Franken', fr: 'francs', es: 'francos', zh: '法郎' },
}

const money = new RegExp(
  `(?:≈ )?[-−]?[$€£¥]?${englishNumber}(?: (?:[A-Z]{3,4}|[$€£¥元]|dollars|pounds|quid|francs|yuan)(?![\\p{L}]))?`,
  'uy',
)

/** `$1,234.50` and `1,234.50 EUR`. Only Chinese puts the sign first. */
function writeMoney(text: string, language: AnswerLanguage): string {
  const [, minus = '', first = '', number = '', , last = ''] = /^((?:≈ )?[-−]?)([$€£¥]?)([\d.,]+)( (.+))?$/u.exec(text) ?? []
  const amount = `${minus}${language === 'zh' ? first : ''}${writeLocalNumber(number, language)}`
  const sign = (currencyWords[last]?.[language] ?? last) || (language === 'zh' ? '' : first)
  return sign === '' ? amount : `${amount}\u00A0${sign}`
}

/** `39.22%` or `≈ 33.33%`. */
const percentage: SlotWriter = (text, { language }) => {
  const [, about = '', number = ''] = /^(≈ )?([-−]?[\d.,]+)%$/.exec(text) ?? []
  return number === '' ? undefined : `${about}${writeLocalPercent(number, language)}`
}

const ofWord = new RegExp(`^(.+) ((?:[-−]?[$€£¥]?)${englishNumber}(?: \\S+)?)$`, 'u')

const itemWords: InEachLanguage<readonly [one: string, many: string]> = {
  de: ['Posten', 'Posten'],
  fr: ['article', 'articles'],
  es: ['artículo', 'artículos'],
  zh: ['件', '件'],
}

/** `1 item` of a reading that names nothing else. */
const itemCount: SlotWriter = (text, { language }) => {
  const count = /^(\d[\d.,]*) items?$/.exec(text)?.[1]
  return count === undefined ? undefined : `${writeLocalNumber(count, language)} ${itemWords[language][count === '1' ? 0 : 1]}`
}

/** A name of an amount; the first may be what the client buys, such as `3 chairs`. */
const label: SlotWriter = (text, context) =>
  fragment(priceFragments.priceLabels)(text, context) ??
  itemCount(text, context) ??
  (/^\d[\d.,]* |^\p{Ll}/u.test(text) ? writeLocalNumbers(text, context.language) : undefined)

/** `total 255.43 EUR`. */
const part: SlotWriter = (text, context) => {
  const [, name = '', amount = ''] = ofWord.exec(text) ?? []
  money.lastIndex = 0
  if (!money.test(amount) || money.lastIndex < amount.length) return undefined
  const written = label(name, context)
  return written === undefined ? undefined : `${written} ${writeMoney(amount, context.language)}`
}

/** `3 years (36 months)`, `28 months (2 years and 4 months)`. */
const term: SlotWriter = (text, context) => {
  const { language } = context
  const [, first = '', second] = /^(\d+ (?:years|months))(?: \((.+)\))?$/.exec(text) ?? []
  const written = writeCountedNoun(first, language)
  const inside = second === undefined ? '' : listWriter((one) => writeCountedNoun(one, language))(second, context)
  if (written === undefined || inside === undefined) return undefined
  return inside === '' ? written : language === 'zh' ? `${written}（${inside}）` : `${written} (${inside})`
}

/** In German, a term after `nach` stands in the dative. */
const dative: SlotWriter = (text, context) => {
  const written = term(text, context)
  return context.language === 'de' ? written?.replace(/(Jahre|Monate)\b/g, '$1n') : written
}

const toWords: InEachLanguage = { de: ' bis ', fr: ' à ', es: ' a ', zh: '–' }

/** What the client wrote with its amounts scaled. */
const scaledLines: SlotWriter = (text, { language }) =>
  writeLocalNumbers(text, language).replace(/(?<=[\d/]) to (?=[\d≈])/g, toWords[language])

const exactAmount: SlotWriter = (text, { language }) =>
  /^(?:≈ )?[-−]?[\d.,]+(?:\/\d+)?$/.test(text) ? writeLocalNumbers(text, language) : undefined

export const priceSlots: { readonly [kind: string]: SlotKind } = {
  money: { pattern: money, write: (text, { language }) => writeMoney(text, language) },
  percentage: { write: percentage },
  priceParts: { write: listWriter(part, { separators: /, /g, comma: '; ' }) },
  priceLabel: { write: label },
  priceHow: { write: fragment(priceFragments.priceHows) },
  loanLabel: { write: fragment(priceFragments.priceLabels) },
  quantityText: { write: (text, { language }) => writeLocalNumbers(text, language) },
  exactAmount: { write: exactAmount },
  term: { write: term },
  termAfter: { write: dative },
  often: { write: fragment(priceFragments.interestTimes) },
  scaleHead: { write: fragment(priceFragments.scaleHeads) },
  scaledLines: { write: scaledLines },
}
