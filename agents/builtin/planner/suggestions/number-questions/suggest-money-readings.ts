/** Candidates on one amount of money: it grows, is changed into another currency, is reduced twice, or is shared after a fixed part. */

import { foldCaseAndAccents } from '../fold-case-and-accents.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { normalizeArithmeticText, numbersOf } from './normalize-arithmetic-text.ts'
import { type Amount, readAmounts } from './read-amounts.ts'

const skillId = 'number.calculation'

export function suggestMoneyReadings(goal: GoalParts): ReadingCandidate[] {
  const text = foldCaseAndAccents(normalizeArithmeticText(goal))
  const story: Story = {
    text,
    percents: [...text.matchAll(/(?<![\d.,])(\d{1,2}(?:\.\d{1,3})?)%/g)].map(([, value = '']) => value),
    amounts: readAmounts(text).filter(({ at, end }) => !isMeasure(text, at, end)),
    matchedWords: [...numbersOf(goal.request), ...numbersOf(text)],
  }
  return [...growth(story), ...exchange(story), ...discounts(story), ...shares(story)]
}

type Story = {
  /** Without capitals and accents, with digits. */
  readonly text: string
  readonly percents: readonly string[]
  readonly amounts: readonly Amount[]
  readonly matchedWords: readonly string[]
}

/** Numbers of years, persons and times are no money. */
const isMeasure = (text: string, at: number, end: number): boolean =>
  /^\s*(?:years?|yrs?|months?|weeks?|days?|hours?|people|persons?|of us|of them|jahre?n?|monate?n?|tage?n?|leute|personen|ans?|annees?|mois|jours?|personnes|anos?|meses|dias?|personas|年|个月|天|人|个人)(?!\p{L})/iu.test(
    text.slice(end),
  ) || /(?:other|anderen|autres|otr[oa]s)\s$/.test(text.slice(0, at))

const saving =
  /sav(?:e|es|ed|ings?)\b|invest|put (?:it )?away|deposit|building society|leave it|touch it|left me|inherit|grow|anleg|angelegt|\bleg(?:e|en|t)\b.{0,80}\ban\b|spar|festgeld|tagesgeld|epargn|plac(?:e|er|ement)|livret|ahorr|invert|deposito|plazo fijo|存|投资|定期/u
const yearlyRate =
  /once a year|a year|per year|per annum|yearly|annual|each year|every year|im jahr|pro jahr|jahrlich|par an|annuel|al ano|anual|每年|年利率|年化/
const otherPeriods =
  /monthly|each month|every month|a month|quarterly|daily|monatlich|im monat|vierteljahr|mensuel|par mois|mensual|al mes|每月|按月/
const years = /(?<![\d.,])(\d{1,2})\s?(?:years?|yrs?|jahre?n?|ans?|annees?|anos?|年)(?!\p{L})/u
const growthWords = plainWords(
  'years year percent interest rate will be how much then money savings grows invest jahre jahr prozent zinsen zins wie viel wird ans an intérêts taux combien años año interés cuánto 年 利息 利率 本金',
)

/** Compound interest, once a year. */
function growth({ text, percents, amounts, matchedWords }: Story): ReadingCandidate[] {
  const term = years.exec(text)?.[1]
  const [rate, ...others] = percents
  const [principal, ...more] = amounts.filter(({ value }) => value >= 50)
  if (!saving.test(text) || !yearlyRate.test(text) || otherPeriods.test(text)) return []
  if (!term || !rate || others.length > 0 || !principal || more.length > 0) return []
  const end = `${principal.digits} × (1 + ${rate}%)^${term}`
  return [{ texts: [`What is ${end}? What is ${end} − ${principal.digits}?`], skillId, matchedWords: [...matchedWords, ...growthWords] }]
}

const currencies =
  '(euros?|eur|€|dollars?|usd|\\$|pounds?|quid|gbp|£|pesos?|francs?|franken|chf|yen|zloty|kronen?|krona|kroner|rupees?|pfund|livres?|libras?|dolares|dollar|yuan|元|人民币)'
const rateOf = new RegExp(
  `(?<![\\d.,])(\\d+(?:\\.\\d+)?)\\s?${currencies}\\s+(?:per|to the|to an?|for an?|for each|pro|je|fur einen?|fur 1|par|pour un|pour 1|por|por cada|el|the|a|an|1)\\s+(?:1\\s+)?${currencies}(?!\\p{L})`,
)
const exchangeWords = plainWords(
  'exchange change rate commission fee how many much get keep per kurs wechseln umtausch gebühr provision wieviel bekomme behalten change taux frais combien cambio casa comisión cuántos dan quedan antes lo quitan tasa viaje pesos euros dollars pounds',
)
const feeWords = /commission|fee|charge|gebuhr|provision|frais|comision|tasa|手续费/

/** A fee is taken before the change. */
function exchange({ text, percents, amounts, matchedWords }: Story): ReadingCandidate[] {
  const found = rateOf.exec(text)
  const [whole = '', rate = '', target = '', source = ''] = found ?? []
  if (!found || percents.length > 1 || (percents.length === 1 && !feeWords.test(text))) return []
  const rest = amounts.filter(({ at }) => at < found.index || at >= found.index + whole.length)
  const [amount, ...others] = rest
  if (!amount || others.length > 0) return []
  const named = nameAt(text, amount)
  const isSource = named !== undefined && currencyOf(named) === currencyOf(source)
  const isTarget = named !== undefined && currencyOf(named) === currencyOf(target)
  if (isSource === isTarget) return []
  const kept = percents[0] === undefined ? amount.digits : `${amount.digits} × (1 − ${percents[0]}%)`
  const changed = isSource ? `${kept} × ${rate}` : `${kept} / ${rate}`
  const fee = percents[0] === undefined ? '' : ` What is ${amount.digits} × ${percents[0]}%?`
  return [{ texts: [`What is ${changed}?${fee}`], skillId, matchedWords: [...matchedWords, ...exchangeWords] }]
}

const nameAt = (text: string, { at, end }: Amount): string | undefined =>
  new RegExp(`${currencies}(?!\\p{L})`).exec(text.slice(at, end))?.[1] ??
  new RegExp(`^\\s?${currencies}(?!\\p{L})`).exec(text.slice(end))?.[1]

function currencyOf(name: string): string {
  if (/^(?:euros?|eur|€)$/.test(name)) return 'EUR'
  if (/^(?:dollars?|usd|\$|dolares)$/.test(name)) return 'USD'
  if (/^(?:pounds?|quid|gbp|£|pfund|livres?|libras?)$/.test(name)) return 'GBP'
  return name.replace(/(?:es|s|n)$/, '')
}

const discountWords = plainWords(
  'discount off price pay end final total percent overall altogether rabatt nachlass preis zahle ende prozent insgesamt remise prix paie fin pourcentage en tout moins encore déja baissé descuento precio pago final porcentaje total rebaja 折 优惠',
)
/** The second one is of the lower price. */
function discounts({ text, percents, amounts, matchedWords }: Story): ReadingCandidate[] {
  const [price, ...others] = amounts
  if (percents.length < 2 || percents.length > 3 || !price || others.length > 0 || !isEachDiscount(text)) return []
  const factors = percents.map((value) => `(1 − ${value}%)`).join(' × ')
  return [
    {
      texts: [`What is ${price.digits} × ${factors}? What is 1 − ${factors} in percent?`],
      ...{ skillId, matchedWords: [...matchedWords, ...discountWords] },
    },
  ]
}
const discountWord = /discount|\boff\b|cheaper|rabatt|nachlass|reduzier|remise|\bmoins\b|reduction|baisse|descuento|rebaj|\bmenos\b|折|减/
const further =
  /(?:another|a further|further|an extra|extra|an additional|additional|on top|noch(?: ?mals?| einmal)?|weitere\p{L}*|zusatzlich\p{L}*|encore|supplementaires?|otro|adicional|ademas|再|又)(?:\s+\p{L}+){0,2}\s*$/u
const furtherBehind =
  /^\s*(?:\p{L}+\s+){0,2}?(?:extra|further|additional|on top|weniger|zusatzlich|de plus|en plus|supplementaires?|adicional\p{L}*)(?!\p{L})/u
const otherPercent =
  /\bvat\b|\btax|steuer|mwst|\btva\b|\biva\b|税|service|\btips?\b|trinkgeld|pourboire|propina|interest|zins|interet|interes/

/** The first percentage is called a discount, and each of the others is called one or “another”. */
function isEachDiscount(text: string): boolean {
  if (otherPercent.test(text)) return false
  const found = [...text.matchAll(/(?<![\d.,])\d{1,2}(?:\.\d{1,3})?%/g)]
  return found.every(({ 0: whole, index }, at) => {
    const previous = found[at - 1]
    const before = text.slice(previous === undefined ? Math.max(0, index - 60) : previous.index + previous[0].length, index)
    const own = before.split(/[,;.!?]|\b(?:and|und|et|y)\b/).at(-1) ?? ''
    const after = (
      text.slice(index + whole.length, found[at + 1]?.index ?? index + whole.length + 40).split(/[,;.!?]|\b(?:and|und|et|y)\b/)[0] ?? ''
    ).slice(0, 40)
    return discountWord.test(own) || discountWord.test(after) || (at > 0 && (further.test(own) || furtherBehind.test(after)))
  })
}

const service =
  /(?<![\d.,])(\d{1,2}(?:\.\d{1,2})?)%\s+(?:\p{L}+\s+){0,2}?(?:service|tip|gratuity|trinkgeld|bedienung|pourboire|propina|servicio)|(?:service|tip|gratuity|trinkgeld|bedienung|pourboire|propina|servicio)(?:\s+\p{L}+){0,3}\s+(?:of\s+|von\s+|de\s+|del\s+)?(\d{1,2}(?:\.\d{1,2})?)%/u
const contribution =
  /(?:put(?:s|ting)? in|chip(?:s|ping)? in|pays?|paying|gives?|giving|contribut\p{L}*|steuert|gibt|zahlt|legt|met|donne|paie|verse|pone|da|paga|aporta)\s+(?:only\s+|just\s+|nur\s+|que\s+|solo\s+)?(?:an?\s+)?(?:flat\s+|fixed\s+|pauschal\s+|un forfait de\s+)?(?:[€£$]\s?)?(\d+(?:\.\d+)?)/u
const remaining =
  /(?:the other|other|remaining|rest of us|die (?:anderen|ubrigen)|les autres|les|los otros|los demas|otros)\s+(\d{1,2})(?![\d%]|[.,]\d)|(\d{1,2})\s+(?:others|anderen|ubrigen|autres|otros)/u
const shareWords = plainWords(
  'bill share each other split service flat puts in rest left how much first whole rechnung teilen jeder andere rest wieviel partager chacun autres reste combien addition cuenta cada uno otros resto cuánto',
)

/** A bill with a service charge; one person pays a fixed part, and the others share what is left. */
function shares({ text, percents, amounts, matchedWords }: Story): ReadingCandidate[] {
  const part = contribution.exec(text)?.[1]
  const count = remaining.exec(text)
  const sharers = count?.[1] ?? count?.[2]
  const charge = service.exec(text)
  if (part === undefined || sharers === undefined || percents.length > 1 || (percents.length === 1 && !charge)) return []
  const [bill] = amounts.filter(({ digits }) => digits !== part && digits !== sharers).toSorted((a, b) => b.value - a.value)
  if (!bill || bill.value <= Number(part)) return []
  const rate = charge?.[1] ?? charge?.[2]
  const total = rate === undefined ? bill.digits : `${bill.digits} × (1 + ${rate}%)`
  return [
    { texts: [`What is ${total}? What is (${total} − ${part}) / ${sharers}?`], skillId, matchedWords: [...matchedWords, ...shareWords] },
  ]
}
