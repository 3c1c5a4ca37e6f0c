/** Translates a goal to English, because the parsers know no other language. */
import { type AnswerLanguage, answerLanguages, isAnswerLanguage } from '../../../tools/answer-translation/answer-languages.ts'
import { findUnit } from '../../../tools/numbers/find-unit.ts'
import { detectLanguage, hasEnglishWords, languageName } from '../detect-language.ts'
import { withoutQuotations } from '../find-quotations.ts'
import type { GoalInput } from '../goal-intent.ts'
import { readAttachedTableHeads } from '../read-attached-table-heads.ts'
import { languageNotices } from './language-notices.ts'
import { languageOfDateForm, restateInEnglish } from './restate-in-english.ts'
import { type TableNames, translateRequestToEnglish } from './translate-request-to-english.ts'

export type EnglishGoal =
  | { readonly goal: GoalInput; readonly language: 'en' }
  | {
      readonly goal: GoalInput
      readonly language: AnswerLanguage
      /** The translated request. */
      readonly reading: string
      /** Words that no phrase covers. */
      readonly unknown: readonly string[]
    }
  /** The language is not read without a model. */
  | { readonly reason: string }

/** The goal, translated if it is in a language of which the phrases are known. */
export function translateGoalToEnglish(goal: GoalInput): EnglishGoal {
  const clientText = [goal.text, ...goal.answers].join('\n')
  const names = namesInTables(goal)
  const code = languageOfRequest(clientText, names)
  const chosenFor = goal.originalText ? languageOfRequest(goal.originalText, names) : 'en'
  // The client chose an English reading of a goal in this language.
  if (!isAnswerLanguage(code) && isAnswerLanguage(chosenFor))
    return { goal: { ...goal, language: chosenFor }, language: chosenFor, reading: goal.text, unknown: [] }
  if (code === 'en') return { goal, language: 'en' }
  if (!isAnswerLanguage(code))
    return {
      reason: `The goal is in ${languageName(code)}. Without a model, goals are read in English, German, French, Spanish and Chinese only.`,
    }
  const restated = goal.answers.length === 0 ? restateInEnglish(goal.text, code, goal.attachments.length > 0) : undefined
  if (restated !== undefined) return { goal: { ...goal, text: restated, language: code }, language: code, reading: restated, unknown: [] }
  const { text, unknown } = translateRequestToEnglish(goal.text, code, names)
  const answers = goal.answers.map((answer) => translateRequestToEnglish(answer, code, names).text)
  return { goal: { ...goal, text, answers, language: code }, language: code, reading: text, unknown }
}

/** They are the same in all of the languages. */
const unitSymbols = new Set('mm cm dm m km g kg t ml cl dl l L ha kW kWh'.split(' '))

/** Quoted and pasted material does not count. The language of a short request is the one whose phrases cover all of its words. */
function languageOfRequest(text: string, names: TableNames): string {
  const request = withoutQuotations(text)
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\n[ \t]*\n[\s\S]*$/, ' ')
    .replace(/[:：](?=\s)\s*\S[\s\S]{1,8000}$/, ' ')
  const code = detectLanguage(request.trim() === '' || isTopic(text, request) ? withoutQuotations(text) : request)
  if (isAnswerLanguage(code) || (code === 'en' && hasEnglishWords(request))) return code
  // Formulas are the same in all languages.
  if (!/\p{L}/u.test(request)) return 'en'
  const named = languageOfDateForm(text)
  if (named !== undefined) return named
  const covered = answerLanguages.find((language) => {
    const { text: english, unknown } = translateRequestToEnglish(request, language, names)
    return (
      unknown.every((word) => unitSymbols.has(word) || findUnit(word) !== undefined) &&
      /\S\s+\S/.test(english) &&
      english.toLowerCase() !== request.trim().toLowerCase()
    )
  })
  return covered ?? code
}

/** “Camping: seven nights at …?” names its topic before the colon, and asks behind it. */
const isTopic = (text: string, request: string): boolean =>
  request.trim().split(/\s+/).length < maxTopicWords && /[:：]\s[^\n]*[?？]/.test(text) && !/[?？\n]/.test(request)
const maxTopicWords = 5

const maxNames = 2_000
const maxWordsNamed = 8

/** Headings and cells of the attached tables. */
function namesInTables(goal: GoalInput): TableNames {
  const columns = readAttachedTableHeads(goal).flatMap((table) => table.columns)
  const cells = columns.flatMap((column) => (column.kind === 'text' ? column.cells : []))
  return { columns: columns.map(({ name }) => name), cells: [...new Set(cells)].slice(0, maxNames) }
}

/** The words that were not understood, and what to do. */
export const unreadNotice = (language: AnswerLanguage, words: readonly string[]): string =>
  languageNotices[language].unread.replace(
    '{words}',
    words
      .slice(0, maxWordsNamed)
      .map((word) => `“${word}”`)
      .join(', '),
  )

/** What the client reads about the language of a plan, a question or a refusal. */
export const noticeOf = (language: AnswerLanguage, kind: keyof (typeof languageNotices)['de']): string => languageNotices[language][kind]
