import { describe, expect, it } from 'vitest'
import { type PlannedQuote, quoteGoal } from '../../../../../agents/builtin/planner/quote/quote-goal.ts'
import { SkillRefused, type SkillRequest } from '../../../../../agents/builtin/skill.ts'
import { builtinTools } from '../../../../../agents/builtin/tools/index.ts'
import { builtinMarket, idOf } from '../../market.ts'

const planner = { agent_id: idOf('agt', 'house-principal'), price: 1_000_000n }
const quote = (text: string, answers: readonly string[] = []) =>
  quoteGoal({
    goal: { text, criteria: [], attachments: [], answers },
    ...{ listings: builtinMarket(), planner, payable: null, decimals: 6, isSuggesting: true },
  })

/** What the tool of the only step answers. */
async function answerTo(text: string, answers: readonly string[] = []): Promise<string> {
  const planned = quote(text, answers) as PlannedQuote
  const [step, ...others] = planned.steps ?? []
  expect([planned.outcome, others.length]).toEqual(['planned', 0])
  const tool = builtinTools.find(({ skill }) => skill.id === step?.skillId)
  // The file that stands for the table is no input: no agent could fetch it.
  expect(step?.inputs?.every((input) => 'data' in input)).toBe(true)
  const response = await tool?.run({ inputs: step?.inputs ?? [] } as unknown as SkillRequest)
  // French puts unbreakable spaces into quotation marks.
  return response?.text.replace(/\u00a0/g, ' ') ?? ''
}

describe('a goal with a pasted table', () => {
  it.each([
    ['day,count\nMon,12\nTue,18\n\nWhich day has the highest count?', 'Highest: Tue, 18 (count).'],
    ['What is the average price?\n| item | price |\n|---|---|\n| tea | 3.20 |\n| cup | 4.10 |', '3.65 (average of price over 2 rows).'],
    ['My expenses:\nrent 950\ngym 50\nWhat share of the total is each?', 'rent 950 (95%), gym 50 (5%)'],
    ['Draw a bar chart: Mon 12, Tue 18, Wed 7', 'Bar chart of sum of amount by day: Tue 18, Mon 12, Wed 7.'],
    ['Line chart please: Jan 1200, Feb 1350', 'Line chart of sum of amount by month: Jan 1,200, Feb 1,350.'],
    [
      'Line chart of our monthly visitors please: Jan 1200, Feb 1350, Mar 1280',
      'Line chart of sum of visitors by month: Jan 1,200, Feb 1,350, Mar 1,280.',
    ],
    ['Draw a line chart of this table:\nyear,sales\n2021,5\n2022,8', 'Line chart of sum of sales by year: 2021 5, 2022 8.'],
    ['Make this CSV a markdown table:\ncity,visitors\nLeeds,120\nYork,95', '2 rows and 2 columns as Markdown.'],
    ['Convert this JSON to CSV: [{"a":1,"b":2},{"a":3,"b":4}]', '2 rows and 2 columns as CSV.'],
    ['Welche Stadt hat die meisten Einwohner?\nStadt;Einwohner\nBern;134000\nGenf;203000', 'Höchster Wert: Genf mit 203.000 (Einwohner).'],
    ['Quel est le total ?\npain 2,80\nlait 1,20', '4 (somme de « montant » sur 2 lignes).'],
  ])('is answered over it: %s', async (text, answer) => {
    expect(await answerTo(text)).toContain(answer)
  })

  it.each([
    ['de', 'Sortiere die Kundenliste bitte absteigend nach dem Betrag\n\nKunde;Betrag\nMeier;12,50\nHuber;1.980,00', 'Huber,1.980,00'],
    ['zh', '请把下面的成绩单按分数从高到低排序：\n姓名,分数\n王芳,88\n李雷,95\n韩梅梅,91\n张伟,76', '李雷,95\n韩梅梅,91\n王芳,88\n张伟,76'],
  ])('has readings whose answer is in %s', async (language, text, rows) => {
    const found = quote(text)
    const suggestions = 'suggestions' in found ? found.suggestions : []
    const chosen = 'steps' in found ? found : suggestions.find((one) => /^Sort /.test(one.text))
    const [step] = chosen?.steps ?? []
    expect(step?.inputs?.[0]).toMatchObject({ data: { answer_language: language } })
    expect(chosen?.summary).toMatch(/Die Antwort ist auf Deutsch|答案将用中文给出/)
    const response = await builtinTools
      .find(({ skill }) => skill.id === step?.skillId)
      ?.run({ inputs: step?.inputs ?? [] } as unknown as SkillRequest)
    expect(response?.text).toMatch(/Zeilen und|行/)
    expect(response?.text.replaceAll(/["\s]/g, '')).toContain(rows.replaceAll(/["\s]/g, ''))
  })

  it('may have it in an answer to the question for the table', async () => {
    const question = 'Which city of the attached table has the most visitors?'
    expect(quote(question)).toMatchObject({ outcome: 'question' })
    expect(await answerTo(question, ['city,visitors\nLeeds,120\nYork,95'])).toContain('Leeds, 120')
  })

  it('has suggestions with the table below them', () => {
    const table = 'milk 1.20\nbread 2.80'
    const found = quote(`Please add these up\n${table}`)
    expect(found.outcome === 'unavailable' && found.suggestions.map(({ text }) => text)).toEqual([
      `What is the total of amount?\n\n${table}`,
    ])
  })

  it('is planned as a text where that is a plan', () => {
    expect((quote('Sort this list alphabetically:\nb 2\na 1') as PlannedQuote).steps.map(({ skillId }) => skillId)).toEqual(['text.lines'])
  })

  it('is no chart unless one is asked for', () => {
    expect(quote('city,visitors\nLeeds,120\nYork,95\n\nSing this table').outcome).toBe('unavailable')
  })

  it('needs a table in the query or as a file', async () => {
    const tool = builtinTools.find(({ skill }) => skill.id === 'table.statistics')
    const work = { inputs: [{ port: 'query', type: 'query.table_statistics', data: { request: 'statistics' } }] } as unknown as SkillRequest
    await expect(async () => tool?.run(work)).rejects.toThrow(SkillRefused)
  })
})
