/** The queries as which the question tool reads a sentence over the attached tables. */
import type { TableQuery } from '../../../tools/tables/computing/table-query.ts'
import { readQuestionOverTables } from '../../../tools/tables/reading/question/read-question.ts'
import { translateRequestToEnglish } from '../../intent/languages/translate-request-to-english.ts'
import type { GoalParts } from '../read-goal-parts.ts'

/** Empty if a part is not read. */
export function queriesOfSentence(
  text: string,
  language: GoalParts['language'],
  { tables }: Pick<GoalParts, 'tables'>,
): readonly TableQuery[] {
  const english = language === 'en' ? text : translateRequestToEnglish(text, language, namesOfTables(tables)).text
  for (const context of tables) {
    const parts = readQuestionOverTables(english, [context])?.parts ?? []
    const queries = parts.flatMap((part) => ('query' in part ? [part.query] : []))
    if (parts.length > 0 && queries.length === parts.length) return queries
  }
  return []
}

/** Headings, which no translation changes. */
export const namesOfTables = (tables: GoalParts['tables']) => ({
  columns: tables.flatMap(({ table }) => table.columns.map(({ name }) => name)),
  cells: [],
})
