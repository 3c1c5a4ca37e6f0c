import type { ArtifactRef } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { GoalInput } from '../../../../../agents/builtin/planner/intent/goal-intent.ts'
import { parseFiguresSubject, parseYears } from '../../../../../agents/builtin/planner/intent/parse-figures-subject.ts'
import { parseGoal } from '../../../../../agents/builtin/planner/intent/parse-goal.ts'
import { toSkillOffers } from '../../../../../agents/builtin/planner/plan/skill-offers.ts'
import { builtinMarket, guideText, listing, skill } from '../../market.ts'

const csv: ArtifactRef = { sha256: 'c'.repeat(64), name: 'sales.csv', media_type: 'text/csv', size: 1, artifact_type: 'table.csv' }
const goal = (text: string, more: Partial<GoalInput> = {}): GoalInput => ({ text, criteria: [], attachments: [], answers: [], ...more })
const builtin = toSkillOffers(builtinMarket())
const shout = listing('loud', [skill('text.shout', ['query.text'], ['text.shout'], 5, { tags: ['uppercase'] })])
const city = listing('weather', [
  skill('weather.today', [], ['weather.report'], 5, {
    inputs: [
      {
        name: 'q',
        type: 'query.city',
        description: '',
        optional: false,
        schema: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
      },
    ],
  }),
])
const wishOf = (asked: GoalInput, offers = builtin) => {
  const parsed = parseGoal(asked, offers)
  if (!('intent' in parsed)) throw new Error(JSON.stringify(parsed))
  return {
    wants: parsed.intent.wants.map((want) => want.type),
    givens: Object.fromEntries(parsed.intent.givens.map((one) => [one.type, one.data ?? one.attachment])),
    summary: parsed.intent.summary,
  }
}
const questionTo = (asked: GoalInput, offers = builtin) => {
  const parsed = parseGoal(asked, offers)
  return 'question' in parsed ? parsed.question : undefined
}

describe('parseGoal', () => {
  it('reads the goal of the guide', () => {
    const intent = wishOf(goal(guideText))
    expect(intent.wants).toEqual(['table.series', 'chart.text', 'analysis.trend', 'report.markdown', 'review.verdict'])
    expect(intent.givens['query.figures']).toEqual({ company: 'Microsoft', metric: 'revenue', from: 2014, to: 2020 })
    expect(intent.summary).toContain('the annual revenue of Microsoft, 2014 to 2020')
  })

  it.each([
    ['Plot the net income of Apple since 2015.', ['table.series', 'chart.svg']],
    ['Show the revenue of Tesla as an SVG picture and as an ASCII chart', ['table.series', 'chart.text', 'chart.svg']],
    ['What was the revenue of Amazon in 2019?', ['table.series']],
    [
      'Compare the profits of Apple and Amazon: a short report, please',
      ['table.series', 'analysis.trend', 'report.markdown', 'review.verdict'],
    ],
  ])('reads %s', (text, wants) => {
    expect(wishOf(goal(text)).wants).toEqual(wants)
  })

  it('lets the criteria add to what is wanted, but not where they forbid it', () => {
    expect(wishOf(goal('The revenue of Apple since 2015', { criteria: ['There is a chart in text form'] })).wants).toContain('chart.text')
    expect(wishOf(goal('The revenue of Apple since 2015', { criteria: ['Without an SVG chart'] })).wants).not.toContain('chart.svg')
  })

  it('works on the attached table, and asks for no company then', () => {
    const intent = wishOf(goal('Write a report on the attached table', { attachments: [csv] }))
    expect(intent.givens['table.csv']).toBe(csv.sha256)
    expect(intent.givens).not.toHaveProperty('query.figures')
  })

  it('asks what it can not read, and understands the answer', () => {
    expect(questionTo(goal('A report on the annual revenue, please'))).toMatch(/Which company.*Microsoft/s)
    expect(wishOf(goal('A report on the annual revenue, please', { answers: ['Apple'] })).givens['query.figures']).toMatchObject({
      company: 'Apple',
    })
    expect(parseGoal(goal('A report on the annual revenue, please', { answers: ['It is Initech Ltd.'] }), builtin)).toMatchObject({
      reason: expect.stringContaining('No agent online has figures of Initech Ltd.'),
    })
    expect(questionTo(goal('Please do the thing that I like'))).toMatch(/can't tell.*Say what you want to get/s)
  })

  it('finds an outsider by the words of the goal, and hands it the quoted text', () => {
    const intent = wishOf(goal('Shout this text: "the annual revenue report is late"'), toSkillOffers([...builtinMarket(), shout]))
    expect(intent.wants).toEqual(['text.shout'])
    expect(intent.givens['query.text']).toEqual({ text: 'the annual revenue report is late' })
    expect(wishOf(goal('I want it in uppercase: hello there'), toSkillOffers([...builtinMarket(), shout])).givens['query.text']).toEqual({
      text: 'hello there',
    })
  })

  it('fills a query by its schema, and only from what is quoted', () => {
    expect(wishOf(goal('Tell me the weather of today in "Lyon"'), toSkillOffers([city])).givens['query.city']).toEqual({ city: 'Lyon' })
    expect(questionTo(goal('Tell me the weather of today'), toSkillOffers([city]))).toBeDefined()
  })

  it('does not take a quotation for a intent', () => {
    expect(questionTo(goal('Say something about "the revenue of Apple as a chart"'))).toBeDefined()
  })
})

describe('parseSubject', () => {
  it.each([
    ['revenue of Foo Bar Inc. in 2019', ['Foo Bar Inc'], 'revenue'],
    ["Acme Widgets' sales over the last five years", ['Acme Widgets'], 'revenue'],
    ["Initech's annual profit", ['Initech'], 'net_income'],
    ['Please show annual revenue', [], 'revenue'],
  ])('reads %s', (text, companies, metric) => {
    expect(parseFiguresSubject(text, [])).toMatchObject({ companies, metric })
  })
  it('knows tickers by their case', () => {
    expect(parseFiguresSubject('the revenue of META', ['META']).companies).toEqual(['META'])
    expect(parseFiguresSubject('a meta report on revenue', ['META']).companies).toEqual([])
  })
})

describe('parseYears', () => {
  it.each([
    ['from 2014 to 2020', { from: 2014, to: 2020 }],
    ['2014–2020', { from: 2014, to: 2020 }],
    ['between 2020 and 2014', { from: 2014, to: 2020 }],
    ['since 2015', { from: 2015 }],
    ['up to 2015', { to: 2015 }],
    ['in 2019', { from: 2019, to: 2019 }],
    ['in its years 2021, 2022 and 2023, and the change from 2022 to 2023', { from: 2021, to: 2023 }],
    ['FY 2019, 2020, and 2021', { from: 2019, to: 2021 }],
    ['the last five years', { last: 5 }],
    ['the past 12 fiscal years', { last: 12 }],
    ['for years', undefined],
  ])('reads %s', (text, years) => {
    expect(parseYears(text)).toEqual(years)
  })
})
