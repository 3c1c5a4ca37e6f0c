/** Candidates on a loan in a story: what is borrowed, at which rate and over which terms. */

import type { GoalWords } from '../goal-words.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { readAmounts, withDigits } from './read-amounts.ts'

const loanWords =
  /borrow\p{L}*|loans?|bank (?:says|said|wants|offers?|asks)|instal?ments?|pay (?:it )?(?:back|off)|mortgages?|financ(?:e|ing)|repay\p{L}*|kredit\p{L}*|darlehen\p{L}*|hypothek\p{L}*|finanzier\p{L}*|prêts?|emprunt\p{L}*|crédits?|préstamos?|hipotecas?|crédito|贷款|房贷|interest|zins\p{L}*|intérêts?|interés|利息/giu
const ownWords =
  /(?:saved|savings|deposit|down ?payment|put (?:in|down)|goes? in|own money|eigenkapital|anzahlung|gespart|apport|économies|entrada|ahorr\p{L}*|首付|存款)/iu
const rate = /(\d{1,2}(?:\.\d{1,3})?)\s*(?:%|percent|per cent|prozent|pour ?cent|por ciento)/giu
const term = /(\d{1,3})\s*(?:-\s*)?(years?|yrs?|jahre?n?|ans?|années?|años?|年|months?|monate?n?|mois|meses|个月)(?!\p{L})/giu
/** “18 monthly instalments”. */
const monthly = /(\d{1,3}) (?:monthly (?:instal?ments?|payments?)|monatsraten|mensualités|cuotas mensuales)/giu
/** “4 or 5 years”. */
const pairOfTerms = /(\d{1,3}) (or|and|oder|und|ou|et|o|y) (\d{1,3}) (years?|jahren?|ans|años|months|monaten?|mois|meses)/giu
const minPrincipal = 100
const maxTerms = 3

export const isLoanGoal = ({ request, english }: GoalWords): boolean => `${request} ${english}`.search(loanWords) >= 0

export function loanCandidates(goal: GoalWords): ReadingCandidate[] {
  const { request } = goal
  if (!isLoanGoal(goal)) return []
  const english = withDigits(goal.english).replace(monthly, '$1 months').replace(pairOfTerms, '$1 $4 $2 $3 $4')
  const rates = [...new Set([...english.matchAll(rate)].map(([, value = '']) => value))]
  const terms = termsOf(english)
  const amounts = readAmounts(english.replace(rate, ' ').replace(term, ' ')).filter(({ value }) => value >= minPrincipal)
  const [price] = amounts.toSorted((a, b) => b.value - a.value)
  if (!price || rates.length === 0 || terms.length === 0 || rates.length > 2) return []
  const own = amounts.find((one) => one !== price && ownWords.test(english.slice(Math.max(0, one.at - 40), one.at + 60)))
  const principals = own ? [price.value - own.value, price.value] : [price.value]
  const explained = plainWords(
    `${(request.match(loanWords) ?? []).join(' ')} ${request.match(/\d+/g)?.join(' ') ?? ''} month monthly pay paid payment year years interest total percent saved fixed instalment rate monat monatlich rate zinsen jahre insgesamt mensualité mois ans intérêts total mensual cuota años intereses`,
  )
  const end = ': monthly payment and total interest'
  const write = (principal: number, percent: string, over: readonly string[]): ReadingCandidate => ({
    texts: [`Loan of ${round(principal)} at ${percent}% a year, paid monthly, ${over.map((one) => `over ${one}`).join(' and ')}${end}`],
    ...{ skillId: 'number.loans', explained },
  })
  const [first = ''] = rates
  // Each rate may have a term of its own.
  if (rates.length === terms.length && rates.length > 1)
    return principals.flatMap((principal) => rates.map((percent, index) => write(principal, percent, [terms[index] ?? ''])))
  return principals.map((principal) => write(principal, first, terms))
}

function termsOf(text: string): string[] {
  const found = [...text.matchAll(term)].map(([, count = '', unit = '']) => `${count} ${/^(?:m|个月)/iu.test(unit) ? 'months' : 'years'}`)
  return [...new Set(found)].slice(0, maxTerms)
}

const round = (value: number): number => Math.round(value * 100) / 100
