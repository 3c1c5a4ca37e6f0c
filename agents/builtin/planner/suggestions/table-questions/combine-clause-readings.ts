/** Combines the best reading of each clause into one candidate for all questions of a goal. */
import { stemWord } from '../../../stem-word.ts'
import type { ReadTableContext } from '../../../tools/tables/reading/question/question-reading.ts'
import { translateRequestToEnglish } from '../../intent/languages/translate-request-to-english.ts'
import { contentWordsOfGoal } from '../content-words-of-goal.ts'
import { findRequestedOperations, type RequestedOperation } from '../find-requested-operations.ts'
import type { GoalParts } from '../read-goal-parts.ts'
import { plainWords, type ReadingCandidate } from '../reading-candidate.ts'
import { type NamedFilter, plainName } from './match-words-to-table.ts'
import { namesOfTables, queriesOfSentence } from './queries-of-sentence.ts'
import type { TableMeasure, TableSuggestionContext } from './table-suggestion-context.ts'

/** Where a new question may begin inside a sentence. */
const asking =
  "how|what|whats|which|who|whose|when|where|tell|give|show|list|the total|the average|separately|seperately|also|then|wie|was|welche\\p{L}?|wer|wen|wann|insgesamt|zeig|nenn|combien|quel(?:le)?s?|qui|lesquel\\p{L}*|donne\\p{L}*|la valeur|le total|la moyenne|l['’]age|cuant\\p{L}*|cuánt\\p{L}*|qué|que|quién|quien|cuál\\p{L}*|cual\\p{L}*|dime|además"
const askingHan = '按|再|最后|另外|每|各|一共|总共|哪|谁|多少'
const clauseEnd = new RegExp(
  `[.?!;。？！；]+(?!\\d)\\s*|[,，]\\s*(?=(?:and |und |et |y )?(?:${asking})(?!\\p{L})|(?:${askingHan}))|\\s+(?:and|und|et|y|sowie|plus)\\s+(?=(?:${asking})(?!\\p{L}))|，`,
  'iu',
)
const maxClauses = 8
const maxSentences = 4

/** Operations that a sentence answers. */
const questions: readonly RequestedOperation[] = [
  'total',
  'average',
  'median',
  'maximum',
  'minimum',
  'count',
  'list',
  'missing',
  'share',
  'deviation',
  'range',
  'order',
]

export type ClauseReader = (
  goal: GoalParts,
  operations: ReadonlyMap<RequestedOperation, string>,
  context: ReadTableContext,
  inherited: Inherited,
) => ReadingCandidate[]
/** What a clause takes from the whole goal. */
export type Inherited = {
  readonly exclusions: readonly NamedFilter[]
  readonly measures?: readonly TableMeasure[]
  readonly group?: TableSuggestionContext['group']
  readonly isClause?: boolean
}

/** @param read the candidates of a clause */
export function combineClauseReadings(
  goal: GoalParts,
  context: ReadTableContext,
  inherited: Inherited,
  read: ClauseReader,
): ReadingCandidate[] {
  const clauses = goal.request.split(clauseEnd).filter((clause) => clause !== undefined && clause.trim().length > 2)
  if (clauses.length < 2 || clauses.length > maxClauses) return []
  const found = clauses.flatMap((clause) => bestOf(clauseGoal(goal, clause), context, inherited, read) ?? [])
  const whole = found.map(({ texts }) => texts.at(-1) ?? '')
  const zeros = whole.some((text) => text.includes(zeroEnd))
  const sentences = whole
    .flatMap((text) =>
      text
        .replace(zeroEnd, '')
        .trim()
        .split(/(?<=[?.])\s+(?=\p{Lu})/u),
    )
    .map(ended)
  const texts = [...new Set(sentences)]
  if (new Set(whole).size < 2 || texts.length < 2 || texts.length > maxSentences) return []
  return [
    {
      texts: [`${texts.join(' ')}${zeros ? ` ${zeroEnd}` : ''}`],
      skillId: 'table.question',
      bonus: 2 * texts.length,
      matchedWords: found.flatMap(({ matchedWords }) => matchedWords),
      matchesIntent: (queries) => queries.length >= texts.length,
    },
  ]
}

const zeroEnd = 'Count empty cells as 0.'
const ended = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`)

function clauseGoal(goal: GoalParts, clause: string): GoalParts {
  const english = goal.language === 'en' ? clause : translateRequestToEnglish(clause, goal.language, namesOfTables(goal.tables)).text
  return { ...goal, request: clause, english }
}

/** The candidate that covers the most words of the clause, and that the tool reads as intended. */
function bestOf(goal: GoalParts, context: ReadTableContext, inherited: Inherited, read: ClauseReader): ReadingCandidate | undefined {
  const operations = findRequestedOperations(goal.english === goal.request ? goal.request : `${goal.request}\n${goal.english}`)
  if (!questions.some((operation) => operations.has(operation)) || blankRule.test(goal.request)) return undefined
  const known = new Set(contentWordsOfGoal(`${goal.request} ${goal.english}`).map(stemWord))
  const ranked = read(goal, operations, context, inherited)
    .filter(({ skillId }) => skillId === 'table.question')
    .map((candidate) => ({
      candidate,
      score: new Set(
        candidate.matchedWords
          .flatMap(plainWords)
          .map(stemWord)
          .filter((word) => known.has(word)),
      ).size,
    }))
    // Chinese words have no spaces, so that few of them are found again.
    .filter(({ score }) => score > 0 || goal.language === 'zh')
    .toSorted((a, b) => b.score - a.score)
  return ranked.slice(0, maxTried).find(({ candidate }) => {
    const queries = queriesOfSentence(candidate.texts.at(-1) ?? '', 'en', goal)
    return queries.length > 0 && (candidate.matchesIntent?.(queries) ?? true)
  })?.candidate
}
const maxTried = 4
/** A rule for empty cells is no question. */
const blankRule =
  /(?:blank|empty|missing|leere?|fehlende|vides?|vac[ií]\p{L}*|空)[^.?!]{0,20}(?:=|\bas\b|\bcounts?\b|als|gilt|zähl\p{L}*|compt\p{L}*|cuent\p{L}*|当|算)[^.?!]{0,8}(?:0|zero|nothing|none|null|nichts|keine|zéro|cero|零)/iu

/** The conditions of the whole goal that leave rows out. */
export const exclusionsOf = (filters: readonly NamedFilter[]): NamedFilter[] =>
  filters.filter(({ phrase, column }) => phrase.startsWith(`${plainName(column)} is not `))
