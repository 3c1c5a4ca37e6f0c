/** Reads a loan for several terms, such as “25 years, and the same for 20 years”. */
import { correctTypingErrors } from '../correct-typing-errors.ts'
import { type LoanProblem, readLoan } from './read-loan.ts'

const vocabulary = new Set(
  'mortgage monthly payment payments interest instead yearly annual annually repayment instalment installment savings deposit borrow borrowed compound invest invested please calculate amount'.split(
    ' ',
  ),
)
/** All words of a clause that only names another term. */
const sameWords = new Set(
  'and the same if we i do did took take it over for in with instead also what whats about how again or vs versus would be is then thing calculation please but a an at term of to as well too make made pay pays paid back loan mortgage that this on run once more us go choose chose only just numbers figures now give me show them now'.split(
    ' ',
  ),
)
const term = /(\d{1,2}) ?-? ?(?:years?|yrs?|y)\b\.?/gi
const several =
  /\b(\d{1,2})(?: ?-? ?(?:years?|yrs?))? ?(?:,|or|and|vs\.?|versus|\/|compared (?:to|with)) ?(?:over |for |in )?(\d{1,2}) ?-? ?(?:years?|yrs?)\b\.?/i
const maxTerms = 4

/** The request for each term. One text if there is only one term. */
function splitTerms(text: string): readonly string[] {
  const pair = several.exec(text)
  if (pair?.[1] && pair[2] && pair[1] !== pair[2]) {
    const rest = (years: string) => `${text.slice(0, pair.index)}${years} years${text.slice(pair.index + pair[0].length)}`
    const base = rest(pair[1])
    return (base.match(term)?.length ?? 0) === 1 ? [base, rest(pair[2])] : [text]
  }
  const [first, ...more] = [...text.matchAll(term)]
  if (!first || more.length === 0 || more.length >= maxTerms) return [text]
  let base = text
  const years: string[] = []
  for (const match of more.toReversed()) {
    const clause = clauseAround(base, match.index)
    if (!clause) return [text]
    base = `${base.slice(0, clause.start)} ${base.slice(clause.end)}`
    years.unshift(match[1] ?? '')
  }
  return [base, ...years.map((one) => base.replace(first[0], `${one} years`))]
}

/** The clause, if nothing else is asked in it. */
function clauseAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  const before = text.slice(0, at)
  const start = Math.max(
    ...[...before.matchAll(/[.?!;,\n](?!\d)|\b(?:and|or|vs)\b/g)].map(({ index, 0: mark }) => (/\w/.test(mark) ? index : index + 1)),
    0,
  )
  const starts = [...before.matchAll(/[.?!;,\n](?!\d)/g)].map(({ index }) => index + 1)
  const end = at + (/[.?!;,\n](?!\d)/.exec(text.slice(at))?.index ?? text.length - at)
  for (const from of [...new Set([starts.at(-1) ?? 0, start])]) {
    const words =
      text
        .slice(from, end)
        .replace(term, ' ')
        .toLowerCase()
        .replace(/[’']/g, '')
        .match(/[\p{L}\p{N}%$€£]+/gu) ?? []
    if (from > 0 && words.every((word) => sameWords.has(word))) return { start: from, end }
  }
  return undefined
}

export type LoanReading = { readonly problems: readonly LoanProblem[] } | { readonly question: string } | undefined

/** A problem for each term, or the one thing that is missing. */
export function readLoanForSeveralTerms(goal: string): LoanReading {
  const texts = splitTerms(correctTypingErrors(goal.replace(/\bur\b/gi, 'your'), vocabulary))
  const problems: LoanProblem[] = []
  for (const text of texts) {
    const read = readLoan(text)
    if (!read || 'question' in read) return texts.length === 1 ? read : undefined
    problems.push(read.problem)
  }
  return texts.length === 1 || problems.every(({ kind }) => kind === problems[0]?.kind) ? { problems } : undefined
}
