/**
 * Readings that may be meant by a goal without a plan. Each is a sentence that the ordinary planner plans exactly. None is chosen
 * without the client.
 */
import { stemWord } from '../../stem-word.ts'
import type { GoalInput } from '../intent/goal-intent.ts'
import { withoutBackground } from '../intent/without-background.ts'
import { contentWords } from './content-words.ts'
import { fileCandidates } from './file-candidates.ts'
import { findWishes } from './find-wishes.ts'
import { type GoalWords, readGoalWords } from './goal-words.ts'
import { numberCandidates } from './numbers/number-candidates.ts'
import { isOutOfScope } from './out-of-scope.ts'
import { plainWords, type ReadingCandidate } from './reading-candidate.ts'
import { readQueries } from './tables/read-queries.ts'
import { tableCandidates } from './tables/table-candidates.ts'
import { encodeCandidates } from './texts/encode-candidates.ts'
import { textCandidates } from './texts/text-candidates.ts'

/** `quote`: what the planner makes of the sentence. */
export type SuggestedReading<Quote> = {
  readonly text: string
  readonly quote: Quote /** Words of the goal that the reading leaves out. */
  readonly leftOut: readonly string[]
}

type Verified<Quote> = {
  readonly quote: Quote
  readonly skills: readonly string[] /** What would be asked of the skill. */
  readonly query: string
}

const maxSuggestions = 5
/** Runs of the planner, and candidates that are looked at. */
const maxPlanned = 8
const maxCandidates = 24
const maxLeftOut = 24

/**
 * Pure. At most eight candidates are planned.
 *
 * @param plan the ordinary planner; undefined if it makes no plan of the goal
 */
export function suggestReadings<Quote>(goal: GoalInput, plan: (goal: GoalInput) => Verified<Quote> | undefined): SuggestedReading<Quote>[] {
  const words = readGoalWords(goal)
  if (!words || isOutOfScope(words)) return []
  const content = contentWords(`${words.request} ${words.english === words.request ? '' : words.english}`)
  const found: SuggestedReading<Quote>[] = []
  const queries = new Set<string>()
  let runs = 0
  const planOnce = (read: GoalInput): Verified<Quote> | undefined => {
    runs++
    return runs > maxPlanned ? undefined : plan(read)
  }
  for (const { candidate, explained } of rankCandidates(words, content).slice(0, maxCandidates)) {
    if (runs >= maxPlanned) break
    const verified = verify(goal, words, candidate, planOnce)
    if (!verified || queries.has(verified.planned.query)) continue
    queries.add(verified.planned.query)
    const numbers = numbersLeftOut(words, verified.text)
    // “valid for 10 years” moves the date that is asked for: without it the answer would be to another question.
    if (candidate.skillId === 'number.dates' && numbers.some((digits) => isSpan(words, digits))) continue
    const leftOut = [...new Set([...wordsLeftOut(words, explained), ...(copiesNumbers(candidate) ? numbers : [])])]
    const shown = leftOut.length > maxLeftOut ? [...leftOut.slice(0, maxLeftOut), '…'] : leftOut
    found.push({ text: verified.text, quote: verified.planned.quote, leftOut: shown })
    if (found.length === maxSuggestions) break
  }
  return found
}

/** What the asking sentences say beside the reading. Of Chinese, the words that no phrase covers. */
function wordsLeftOut({ request, unread, language }: GoalWords, explained: ReadonlySet<string>): string[] {
  if (language === 'zh') return unread.filter((word) => !plainWords(word).some((one) => explained.has(stemWord(one))))
  const asked = new Set(contentWords(withoutBackground(request).request))
  const words = request.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  return [...new Set(words)].filter((word) => {
    const parts = plainWords(word).filter((part) => asked.has(part))
    return parts.length > 0 && parts.every((part) => !explained.has(stemWord(part)))
  })
}

/** Readings that write the numbers of the goal as they are. Others compute with them before. */
const copiesNumbers = ({ skillId }: ReadingCandidate): boolean =>
  skillId.startsWith('table.') || skillId === 'number.prices' || skillId === 'number.calculation'

/** Dates and times, which a reading may write in another form. */
const written = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}\s?(?:am|pm)\b|\d(?:st|nd|rd|th)\b/gi
const numbersIn = (text: string): string[] => text.replace(written, ' ').match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []

/** Numbers of the request that the reading does not have: “349” of a table whose price it does not count. Of pasted lines, none. */
function numbersLeftOut({ request, english }: GoalWords, text: string): string[] {
  const numberIn = (digits: string): number => Number(digits.replaceAll(',', ''))
  const read = new Set(numbersIn(text).map(numberIn))
  const [line = ''] = (english === '' ? request : english).split(/\n/)
  return numbersIn(withoutBackground(line).request).filter((digits) => !read.has(numberIn(digits)))
}

const spanUnit =
  '(?:years?|months?|weeks?|days?|jahren?|jahr|monaten?|monat|wochen?|tagen?|tag|ans|mois|semaines?|jours?|años?|mes(?:es)?|semanas?|días?|年|个月|周|天)'

/** Whether a number counts days, months or years. */
function isSpan({ request, english }: GoalWords, digits: string): boolean {
  return new RegExp(`(?<![\\d.,])${digits}[ -]?${spanUnit}(?!\\p{L})`, 'iu').test(`${request}\n${english}`)
}

type Ranked = { readonly candidate: ReadingCandidate; readonly explained: ReadonlySet<string>; readonly score: number }

/** Best first: those that explain more words of the goal. Below the floor there are none. */
function rankCandidates(words: GoalWords, content: readonly string[]): Ranked[] {
  const wishes = findWishes(`${words.request}\n${words.english === words.request ? '' : words.english}`)
  const all = [
    ...words.tables.flatMap((table) => tableCandidates(words, wishes, table)),
    ...fileCandidates(words, wishes),
    ...textCandidates(words, wishes),
    ...encodeCandidates(words),
    ...numberCandidates(words, wishes),
  ]
  const known = new Set(content.map(stemWord))
  const ranked = all
    .map((candidate): Ranked => {
      const explained = new Set(candidate.explained.flatMap(plainWords).map(stemWord))
      const matched = [...explained].filter((word) => known.has(word)).length
      return { candidate, explained, score: matched === 0 ? 0 : matched + (candidate.bonus ?? 0) }
    })
    .filter(({ score }) => score > 0)
  return [...ranked, ...combineCandidates(ranked, known)].sort(byScore)
}

/** Skills whose sentences may stand in one goal. */
const combined: readonly (readonly [string, string])[] = [
  ['number.prices', 'number.dates'],
  ['number.calculation', 'number.dates'],
  ['text.statistics', 'text.transform'],
]

/** The best candidates of two skills, if each explains words that the other does not. */
function combineCandidates(ranked: readonly Ranked[], known: ReadonlySet<string>): Ranked[] {
  const best = (skillId: string): Ranked | undefined =>
    ranked.filter(({ candidate }) => candidate.skillId === skillId && !candidate.texts.at(-1)?.includes('\n')).toSorted(byScore)[0]
  return combined.flatMap(([one, other]) => {
    const [first, second] = [best(one), best(other)]
    if (!first || !second) return []
    const explained = first.explained.union(second.explained)
    const score = [...explained].filter((word) => known.has(word)).length
    if (score <= first.score || score <= second.score) return []
    const text = `${first.candidate.texts.at(-1)} ${second.candidate.texts.at(-1)}`
    return [{ candidate: { texts: [text], skillId: one, besides: [other], explained: [...explained] }, explained, score }]
  })
}

const byScore = (a: Ranked, b: Ranked): number => b.score - a.score

function verify<Quote>(
  goal: GoalInput,
  words: GoalWords,
  { texts, skillId, besides = [], isMeant }: ReadingCandidate,
  plan: (goal: GoalInput) => Verified<Quote> | undefined,
): { readonly text: string; readonly planned: Verified<Quote> } | undefined {
  for (const [index, text] of texts.entries()) {
    // The last text is English.
    const language = index === texts.length - 1 ? 'en' : words.language
    if (isMeant && !isMeant(readQueries(text, language, words))) continue
    const planned = plan({ ...goal, text, answers: [] })
    if (planned && planned.skills.toSorted().join(' ') === [skillId, ...besides].toSorted().join(' ')) return { text, planned }
  }
  return undefined
}
