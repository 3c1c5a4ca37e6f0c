import { describe, expect, it } from 'vitest'
import { tableQuestionTool } from '../../../../../../../agents/builtin/tools/tables/question-tool.ts'
import { askTool } from '../../../numbers/ask-tool.ts'

const ask = (text: string) => (question: string) =>
  askTool(tableQuestionTool, question, [{ name: 'sheet.csv', text, head: text, isWhole: true }])

describe('a limit behind its number', () => {
  const ward = ask('Bed,Nurse,Pressure mmHg,Pulse\n1,Ida,142,70\n2,Rolf,118,91\n3,Ida,140,66\n4,Rolf,131,58\n')
  it.each([
    ['List Bed, Pressure mmHg where Pressure mmHg is at least 140', /1, 142; 3, 140/],
    ['which beds have a pressure of 140 or more?', /≥ 140: .*1.*3/],
    ['list nurse and pulse where pulse is 66 or less', /Pulse ≤ 66: Ida, 66; Rolf, 58/],
    ['What is the lowest pulse per nurse?', /Ida 66, Rolf 58|Rolf 58, Ida 66/],
  ])('%s', async (question, answer) => expect(await ward(question)).toMatch(answer))

  it('takes a number of rows for no amount', async () => {
    expect(await ward('Which nurses have more than 1 rows?')).toMatch(/^asks: /)
  })
})

describe('empty cells', () => {
  const dues = ask('Name,Due,Paid\nAda,20,20\nBen,30,\nCem,25,5\n')
  it('count as 0 where the client says so', async () => {
    expect(await dues('What is the total of (Due - Paid)? Count empty cells as 0.')).toContain('50')
    expect(await dues('What is the total of (Due - Paid)?')).toContain('20')
  })
})
