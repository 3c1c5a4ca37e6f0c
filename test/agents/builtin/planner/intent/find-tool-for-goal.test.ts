import { describe, expect, it } from 'vitest'
import { parseGoal } from '../../../../../agents/builtin/planner/intent/parse-goal.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { planBySearch } from '../../../../../agents/builtin/planner/strategies/deterministic-strategy.ts'
import { builtinTools } from '../../../../../agents/builtin/tools/index.ts'
import { builtinMarket, listing, skill } from '../../market.ts'

const offers = toSkillOffers(builtinMarket())
const read = (text: string, from = offers) => parseGoal({ text, criteria: [], attachments: [], answers: [] }, from)

describe('a goal that a tool reads', () => {
  it.each([
    ['What is 15% of 240?', 'number.result', 'query.calculation'],
    ['Convert 5 miles to kilometres', 'number.result', 'query.unit_conversion'],
    ['Make a QR code for https://example.com', 'image.svg', 'query.qr_code'],
  ])('%s', (text, type, query) => {
    const parsed = read(text)
    if (!('intent' in parsed)) throw new Error(JSON.stringify(parsed))
    expect(parsed.intent.wants).toEqual([{ type, needed: true }])
    expect(parsed.intent.givens.map((one) => one.type)).toEqual([query, 'goal.criteria'])
  })

  it('is read without the story around it, and the summary names the story', () => {
    expect(read('Our shop fell over yesterday. Roman numeral for 1994')).toMatchObject({
      intent: { summary: expect.stringContaining('Read as background only: “Our shop fell over yesterday”.') },
    })
  })

  it('is done on the file that the question is about, also if it is not the first', () => {
    const files = [
      ['clients.csv', 'code,name,town\n1,Ida,York\n2,Rolf,Leeds\n'],
      ['orders.csv', 'order,client,amount\n1,1,20\n2,2,30\n3,1,5\n'],
    ] as const
    const attachments = files.map(([name]) => ({ sha256: name, name, media_type: 'text/csv', artifact_type: 'table.csv', size: 1 }))
    const heads = Object.fromEntries(files.map(([name, text]) => [name, { text, isWhole: true }]))
    const goal = { text: 'What is the total of amount per client?', criteria: [], attachments, heads, answers: [] }
    const planned = planBySearch({ goal, offers, payable: 10_000_000n, decimals: 6, msLeft: 60_000, refusals: [] })
    if (!('plan' in planned)) throw new Error(JSON.stringify(planned))
    expect(planned.plan.steps[0]?.inputs.flatMap(({ given }) => given?.attachment ?? [])).toEqual(['orders.csv'])
  })

  it('is planned as one step of the agent that offers the tool', () => {
    const planned = planBySearch({
      goal: { text: 'What is 15% of 240?', criteria: [], attachments: [], answers: [] },
      offers,
      payable: 10_000_000n,
      decimals: 6,
      msLeft: 60_000,
      refusals: [],
    })
    expect('plan' in planned && planned.plan.steps.map(({ offer }) => offer.handle)).toEqual(['house-calculator'])
  })

  it('is not read where no agent online offers the tool', () => {
    const others = toSkillOffers(builtinMarket().filter(({ handle }) => handle !== 'house-calculator'))
    expect(read('What is 15% of 240?', others)).toHaveProperty('question')
  })

  it('is not read by a tool for words that only resemble it', () => {
    expect(read('Write an essay on the history of the QR code')).toHaveProperty('question')
    expect(read('Calculate how much my house is worth')).toHaveProperty('question')
  })

  it('may be done by an agent of another publisher that takes the same query', () => {
    const cheap = listing('abacus', [skill('sum.up', ['query.calculation'], ['number.result'], 1)])
    const parsed = planBySearch({
      goal: { text: 'What is 15% of 240?', criteria: [], attachments: [], answers: [] },
      offers: toSkillOffers([...builtinMarket(), cheap]),
      payable: 10_000_000n,
      decimals: 6,
      msLeft: 60_000,
      refusals: [],
    })
    expect('plan' in parsed && parsed.plan.steps.map(({ offer }) => offer.handle)).toEqual(['abacus'])
  })
})

describe('the built-in tools', () => {
  it('take a query type of their own each, and have unique skill ids', () => {
    const queries = builtinTools.map(({ skill: one }) => one.inputs[0]?.type)
    expect(new Set(queries).size).toBe(queries.length)
    expect(new Set(builtinTools.map(({ skill: one }) => one.id)).size).toBe(builtinTools.length)
    for (const { skill: one } of builtinTools) {
      expect(one.inputs.filter((port) => !port.optional)).toHaveLength(1)
      expect(one.outputs).toHaveLength(1)
      expect(one.samples.length).toBeGreaterThan(0)
    }
  })
})
