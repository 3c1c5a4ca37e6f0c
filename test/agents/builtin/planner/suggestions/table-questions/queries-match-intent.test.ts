import { describe, expect, it } from 'vitest'
import {
  queriesMatchIntent,
  topQueryMatchesIntent,
} from '../../../../../../agents/builtin/planner/suggestions/table-questions/queries-match-intent.ts'
import { readQuestion } from '../../../../../../agents/builtin/tools/tables/reading/question/read-question.ts'
import { readAttachedTable } from '../../../../../../agents/builtin/tools/tables/reading/table/read-attached-table.ts'
import { indexCells } from '../../../../../../agents/builtin/tools/tables/reading/words/find-cell-values.ts'

const table = readAttachedTable('day,nurse,shift,hours\n1,Ida,N,9\n2,Rolf,D,8\n3,Ida,N,7\n', 'rota.csv')
const column = (name: string) => table.columns.find((one) => one.name === name) as (typeof table.columns)[number]
const queriesOf = (question: string) =>
  readQuestion(question, { table, cells: indexCells(table) }).flatMap((part) => ('query' in part ? [part.query] : []))

const hours = { name: 'hours', columns: [column('hours')], words: 'hours' }
const night = { column: column('shift'), phrase: 'shift is N', words: 'night' }

describe('a sentence over a table', () => {
  const matchesIntent = queriesMatchIntent({ measure: hours, group: column('nurse'), filters: [night], parts: 1 })

  it('counts if the tool reads its number, group and condition', () => {
    expect(matchesIntent(queriesOf('What is the total of hours per nurse where shift is N?'))).toBe(true)
  })

  it.each([
    ['without its condition', 'What is the total of hours per nurse?'],
    ['with another group', 'What is the total of hours per day where shift is N?'],
    ['without its group', 'What is the total of hours where shift is N?'],
    ['with another number', 'How many rows are there per nurse where shift is N?'],
  ])('does not count %s', (_, question) => {
    expect(matchesIntent(queriesOf(question))).toBe(false)
  })

  it('that asks for the best two counts with two only', () => {
    const isTop = topQueryMatchesIntent({ measure: hours, group: column('nurse'), filters: [], count: 2 })
    expect(isTop(queriesOf('Which 2 nurse have the highest total of hours?'))).toBe(true)
    expect(isTop(queriesOf('Which nurse has the highest total of hours?'))).toBe(false)
  })
})
