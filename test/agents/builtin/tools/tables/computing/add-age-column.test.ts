import { describe, expect, it } from 'vitest'
import { tableQuestionTool } from '../../../../../../agents/builtin/tools/tables/question-tool.ts'
import { askTool } from '../../numbers/ask-tool.ts'

const people = 'name,birthdate,city\nAna,1990-05-14,Madrid\nBo,2001-12-01,Oslo\nCy,1985-07-30,Leeds\nDi,1985-07-30,Oslo\n'
const ask = (question: string) => askTool(tableQuestionTool, question, [{ name: 'people.csv', text: people, head: people, isWhole: true }])

describe('ages from birth dates', () => {
  it.each([
    ['How old is everyone today (28 Nov 2026)?', '4 rows: Ana, 36; Bo, 24; Cy, 41; Di, 41.'],
    ['How old is Ana on 13 May 2026?', /^Ana, 35 /],
    ['How old is Ana on 14 May 2026?', /^Ana, 36 /],
    ['average age on 2026-11-28', /^35\.5 /],
    ['Who is older than 30 as of 28.11.2026?', /Ana.*Cy.*Di/],
    ['who is the oldest?', /Cy.*Di/],
    ['who is the youngest person?', /^Bo, 2001-12-01 /],
  ])('%s', async (question, answer) => {
    expect(await ask(question)).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : answer)
  })

  it.each(['average age?', 'How old is everyone?', 'average age on 03/04/2026'])('asks for the date: %s', async (question) => {
    expect(await ask(question)).toMatch(/^asks: State the date/)
  })

  it('does not answer for the oldest of each group', async () => {
    expect(await ask('oldest person in each city')).toMatch(/^not taken|^asks: /)
  })
})
