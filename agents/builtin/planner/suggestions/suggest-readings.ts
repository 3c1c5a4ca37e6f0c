/**
 * Possible interpretations of a goal that the planner could not plan. Each is a sentence that the ordinary planner plans exactly. Only
 * the client chooses one.
 */
import { stemWord } from '../../stem-word.ts'
import type { GoalInput } from '../intent/goal-intent.ts'
import { removeBackgroundSentences } from '../intent/remove-background-sentences.ts'
import { contentWordsOfGoal } from './content-words-of-goal.ts'
import { findRequestedOperations } from './find-requested-operations.ts'
import { isOutOfScope } from './is-out-of-scope.ts'
import { suggestReadingsWithoutFile } from './number-questions/suggest-readings-without-file.ts'
import { type GoalParts, readGoalParts } from './read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from './reading-candidate.ts'
import { suggestFileReadings } from './suggest-file-readings.ts'
import { queriesOfSentence } from './table-questions/queries-of-sentence.ts'
import { suggestTableReadings } from './table-questions/suggest-table-readings.ts'
import { suggestEncodingReadings } from './text-tasks/suggest-encoding-readings.ts'
import { suggestRestatedRequests } from './text-tasks/suggest-restated-requests.ts'
import { suggestTextReadings } from './text-tasks/suggest-text-readings.ts'

/** `quote`: what the planner makes of the sentence. */
export type SuggestedReading<Quote> = {
  readonly text: string
  readonly quote: Quote
  /** Words of the goal that the reading leaves out. */
  readonly leftOut: readonly string[]
}

type Verified<Quote> = {
  readonly quote: Quote
  readonly skills: readonly string[]
  /** What would be asked of the skill. */
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
  const words = readGoalParts(goal)
  if (!words || isOutOfScope(words)) return []
  const content = contentWordsOfGoal(`${words.request} ${words.english === words.request ? '' : words.english}`)
  const found: SuggestedReading<Quote>[] = []
  const queries = new Set<string>()
  let runs = 0
  const planOnce = (read: GoalInput): Verified<Quote> | undefined => {
    runs++
    return runs > maxPlanned ? undefined : plan(read)
  }
  for (const { candidate, matchedWords } of rankCandidates(words, content).slice(0, maxCandidates)) {
    if (runs >= maxPlanned) break
    const verified = verify(goal, words, candidate, planOnce)
    if (!verified || queries.has(verified.planned.query)) continue
    queries.add(verified.planned.query)
    const numbers = numbersLeftOut(words, verified.text)
    // “valid for 10 years” moves the date that is asked for: without it the answer would be to another question.
    if (candidate.skillId === 'number.dates' && numbers.some((digits) => isSpan(words, digits))) continue
    const leftOut = [...new Set([...wordsLeftOut(words, matchedWords), ...(copiesNumbers(candidate) ? numbers : [])])]
    const shown = leftOut.length > maxLeftOut ? [...leftOut.slice(0, maxLeftOut), '…'] : leftOut
    found.push({ text: verified.text, quote: verified.planned.quote, leftOut: shown })
    if (found.length === maxSuggestions) break
  }
  return found
}

/** What the asking sentences say beside the reading. Of Chinese, the words that no phrase covers. */
function wordsLeftOut({ request, unread, language }: GoalParts, matchedWords: ReadonlySet<string>): string[] {
  if (language === 'zh') return unread.filter((word) => !plainWords(word).some((one) => matchedWords.has(stemWord(one))))
  const asked = new Set(contentWordsOfGoal(removeBackgroundSentences(request).request))
  const words = request.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []
  return [...new Set(words)].filter((word) => {
    const parts = plainWords(word).filter((part) => asked.has(part))
    return parts.length > 0 && parts.every((part) => !matchedWords.has(stemWord(part)))
  })
}

/** Readings that write the numbers of the goal as they are. Others compute with them before. */
const copiesNumbers = ({ skillId }: ReadingCandidate): boolean =>
  skillId.startsWith('table.') || skillId === 'number.prices' || skillId === 'number.calculation'

/** Dates and times, which a reading may write in another form. */
const written = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}\s?(?:am|pm)\b|\d(?:st|nd|rd|th)\b/gi
const numbersIn = (text: string): string[] => text.replace(written, ' ').match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? []

/** Numbers of the request that the reading does not have: “349” of a table whose price it does not count. Of pasted lines, none. */
function numbersLeftOut({ request, english }: GoalParts, text: string): string[] {
  const numberIn = (digits: string): number => Number(digits.replaceAll(',', ''))
  const read = new Set(numbersIn(text).map(numberIn))
  const [line = ''] = (english === '' ? request : english).split(/\n/)
  return numbersIn(removeBackgroundSentences(line).request).filter((digits) => !read.has(numberIn(digits)))
}

const spanUnit =
  '(?:years?|months?|weeks?|days?|jahren?|jahr|monaten?|monat|wochen?|tagen?|tag|ans|mois|semaines?|jours?|años?|mes(?:es)?|semanas?|días?|年|个月|周|天)'

/** Whether a number counts days, months or years. */
function isSpan({ request, english }: GoalParts, digits: string): boolean {
  return new RegExp(`(?<![\\d.,])${digits}[ -]?${spanUnit}(?!\\p{L})`, 'iu').test(`${request}\n${english}`)
}

type Ranked = { readonly candidate: ReadingCandidate; readonly matchedWords: ReadonlySet<string>; readonly score: number }

/** Best first: those that explain more words of the goal. Below the floor there are none. */
function rankCandidates(words: GoalParts, content: readonly string[]): Ranked[] {
  const operations = findRequestedOperations(`${words.request}\n${words.english === words.request ? '' : words.english}`)
  const all = [
    ...words.tables.flatMap((table) => suggestTableReadings(words, operations, table)),
    ...suggestFileReadings(words, operations),
    ...suggestTextReadings(words, operations),
    ...suggestEncodingReadings(words),
    ...suggestRestatedRequests(words),
    ...suggestReadingsWithoutFile(words, operations),
  ]
  const known = new Set(content.map(stemWord))
  const ranked = all
    .map((candidate): Ranked => {
      const matchedWords = new Set(candidate.matchedWords.flatMap(plainWords).map(stemWord))
      const matched = [...matchedWords].filter((word) => known.has(word)).length
      return { candidate, matchedWords, score: matched === 0 ? 0 : matched + (candidate.bonus ?? 0) }
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
    const matchedWords = first.matchedWords.union(second.matchedWords)
    const score = [...matchedWords].filter((word) => known.has(word)).length
    if (score <= first.score || score <= second.score) return []
    const text = `${first.candidate.texts.at(-1)} ${second.candidate.texts.at(-1)}`
    return [{ candidate: { texts: [text], skillId: one, besides: [other], matchedWords: [...matchedWords] }, matchedWords, score }]
  })
}

const byScore = (a: Ranked, b: Ranked): number => b.score - a.score

function verify<Quote>(
  goal: GoalInput,
  words: GoalParts,
  { texts, skillId, besides = [], matchesIntent }: ReadingCandidate,
  plan: (goal: GoalInput) => Verified<Quote> | undefined,
): { readonly text: string; readonly planned: Verified<Quote> } | undefined {
  for (const [index, text] of texts.entries()) {
    // The last text is English.
    const language = index === texts.length - 1 ? 'en' : words.language
    if (matchesIntent && !matchesIntent(queriesOfSentence(text, language, words))) continue
    const planned = plan({ ...goal, text, answers: [] })
    if (planned && planned.skills.toSorted().join(' ') === [skillId, ...besides].toSorted().join(' ')) return { text, planned }
  }
  return undefined
}
