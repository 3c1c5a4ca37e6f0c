/** Candidates on a loan in a story: what is borrowed, at which rate and over which terms. */

import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { numberWordsToDigits } from './number-words-to-digits.ts'
import { readAmounts } from './read-amounts.ts'

const loanWords =
  /borrow\p{L}*|loans?|bank (?:says|said|wants|offers?|asks)|instal?ments?|pay (?:it )?(?:back|off)|mortgages?|financ(?:e|ing)|spread (?:\p{L}+ )?over|same amount (?:every|each) month|repay\p{L}*|kredit\p{L}*|darlehen\p{L}*|hypothek\p{L}*|finanzier\p{L}*|prêts?|emprunt\p{L}*|crédits?|préstamos?|hipotecas?|crédito|贷款|房贷|interest|zins\p{L}*|intérêts?|interés|利息/giu
const ownWords =
  /(?:saved|savings|deposit|down ?payment|put(?:ting|s)? (?:in|down)|putting|up ?front|goes? in|own money|eigenkapital|anzahlung|gespart|apport|économies|entrada|ahorr\p{L}*|首付|存款)/iu
const rate = /(\d{1,2}(?:\.\d{1,3})?)\s*(?:%|percent|per cent|prozent|pour ?cent|por ciento)/giu
/** “6.9 a year”, where no number has a sign. */
const bareRate = /(?<![\d.,£€$])(\d{1,2}\.\d{1,2}) (?:a|per|im|pro|par|al|por) (?:year|annum|jahr|an|año)(?!\p{L})/giu
const term = /(\d{1,3})\s*(?:-\s*)?(years?|yrs?|jahre?n?|ans?|années?|años?|年|months?|monate?n?|mois|meses|个月)(?!\p{L})/giu
/** “18 monthly instalments”. */
const monthly = /(\d{1,3}) (?:monthly (?:instal?ments?|payments?)|monatsraten|mensualités|cuotas mensuales)/giu
/** “4 or 5 years”. */
const pairOfTerms = /(\d{1,3}) (or|and|oder|und|ou|et|o|y) (\d{1,3}) (years?|jahren?|ans|años|months|monaten?|mois|meses)/giu
const minPrincipal = 100
const maxTerms = 3

/** A rate a year and what is paid each month, without a word for a loan. */
const yearly =
  /(?:%|percent|per cent)\s*(?:a|per|each)\s*(?:year|annum)|\bapr\b|(?:%|prozent)\s*(?:im|pro|p\. ?a)|(?:%|pour ?cent)\s*(?:par|l['’])\s?an|(?:%|por ciento)\s*(?:al|por)\s*año|年利率|年化/iu
const monthlyWords = /month|monat|\bmois\b|mensu|\bmes(?:es)?\b|每月|月供/iu
const payWords = /\b(?:pay|paid|cost|leave my account|instal)|zahl|\brate\b|abbezahl|\bpa[iy]e?r?\b|pag[oau]|还|付/iu
/** Money that grows or is earned. */
const savingWords =
  /sav(?:e|es|ing)|invest|put away|grow|pension|rent\b|salary|wages?|inflation|anleg|spar|gehalt|miete|épargn|plac(?:e|er|ement)|loyer|salaire|ahorr|invert|alquiler|sueldo|存|投资|工资|房租/iu

export function isLoanGoal({ request, english }: GoalParts): boolean {
  const text = `${request} ${english}`
  const isPaidBack = yearly.test(text) && monthlyWords.test(text) && payWords.test(text) && !savingWords.test(text)
  return text.search(loanWords) >= 0 || isPaidBack
}

export function suggestLoanReadings(goal: GoalParts): ReadingCandidate[] {
  const { request } = goal
  if (!isLoanGoal(goal)) return []
  const english = numberWordsToDigits(goal.english).replace(monthly, '$1 months').replace(pairOfTerms, '$1 $4 $2 $3 $4')
  const stated = [...english.matchAll(rate), ...(rate.test(english) ? [] : english.matchAll(bareRate))]
  const rates = [...new Set(stated.map(([, value = '']) => value))]
  const terms = termsOf(english)
  const amounts = readAmounts(english.replace(rate, ' ').replace(bareRate, ' ').replace(term, ' ')).filter(
    ({ value }) => value >= minPrincipal,
  )
  const [price] = amounts.toSorted((a, b) => b.value - a.value)
  if (!price || rates.length === 0 || terms.length === 0 || rates.length > 2) return []
  const own = amounts.find((one) => one !== price && ownWords.test(english.slice(Math.max(0, one.at - 40), one.at + 60)))
  const principals = own ? [price.value - own.value, price.value] : [price.value]
  const matchedWords = plainWords(
    `${(request.match(loanWords) ?? []).join(' ')} ${request.match(/\d+/g)?.join(' ') ?? ''} month monthly pay paid payment year years interest total percent saved fixed instalment rate charged extra cash account amount pounds euros dollars monat monatlich rate zinsen jahre insgesamt mensualité mois ans intérêts total mensual cuota años intereses`,
  )
  const end = ': monthly payment and total interest'
  const write = (principal: number, percent: string, over: readonly string[]): ReadingCandidate => ({
    texts: [`Loan of ${round(principal)} at ${percent}% a year, paid monthly, ${over.map((one) => `over ${one}`).join(' and ')}${end}`],
    ...{ skillId: 'number.loans', matchedWords },
  })
  const [first = ''] = rates
  // Each rate may have a term of its own.
  if (rates.length === terms.length && rates.length > 1)
    return principals.flatMap((principal) => rates.map((percent, index) => write(principal, percent, [terms[index] ?? ''])))
  return principals.map((principal) => write(principal, first, terms))
}

function termsOf(text: string): string[] {
  const found = [...text.matchAll(term)].map(([, count = '', unit = '']) => `${count} ${/^(?:m|个月)/iu.test(unit) ? 'months' : 'years'}`)
  // “After one month” is when the first payment is due.
  const terms = [...new Set(found)].filter((one, _, all) => all.length === 1 || one !== '1 months')
  return terms.slice(0, maxTerms)
}

const round = (value: number): number => Math.round(value * 100) / 100
