import type { GivenValue, Listing } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { type GoalQuote, type PlannedQuote, type QuoteRequest, quoteGoal } from '../../../../../agents/builtin/planner/quote/quote-goal.ts'
import { builtinMarket, idOf, reportMarket } from '../../market.ts'

const listings = reportMarket() as Listing[]
const planner = { agent_id: idOf('agt', 'house-principal'), price: 1_000_000n }
const quote = (text: string, more: Partial<QuoteRequest> = {}): GoalQuote =>
  quoteGoal({
    ...{ goal: { text, criteria: [], attachments: [], answers: [] }, listings, planner, payable: null, decimals: 6 },
    ...more,
  })
const planned = (text: string, more: Partial<QuoteRequest> = {}): PlannedQuote => quote(text, more) as PlannedQuote

const flagship =
  'I want to know the annual revenue of Microsoft from 2014 to 2020. Please generate a figure in text format, and a trend analysis report'

describe('quoteGoal', () => {
  it('is the plan of the text: steps, agents, prices and a total that is their sum', () => {
    const { outcome, steps, total, plannerPrice, summary } = planned(flagship)
    expect([outcome, summary]).toEqual(['planned', expect.stringContaining('revenue of Microsoft, 2014 to 2020')])
    expect(steps.map(({ skillId }) => skillId).toSorted()).toEqual(
      ['chart.draw_text', 'figures.lookup', 'report.write', 'trend.analyse', 'work.review'].toSorted(),
    )
    expect(steps.every(({ agentId, handle }) => agentId !== '' && handle.startsWith('house-'))).toBe(true)
    expect(total).toBe(steps.reduce((sum, { price }) => sum + price, plannerPrice))
  })

  it('suggests criteria that name the files and years', () => {
    expect(planned(flagship).criteria).toEqual([
      'The report describes the trend.',
      'There is a chart in text format.',
      'The report covers every year from 2014 to 2020.',
    ])
  })

  it('asks whether a company is meant by its figures, where only its name shows it', () => {
    expect(quote('Write a report on the Amazon rainforest, please')).toMatchObject({
      outcome: 'question',
      question: expect.stringContaining('annual revenue of Amazon'),
    })
    expect(planned('A trend report on Amazon from 2015 to 2020').outcome).toBe('planned')
  })

  it.each([
    'Summarize the meeting from these points.\n\nRose: presents the sales data\nJohn: new idea',
    'Convert this citation to MLA.\n\nVaswani, Ashish. "Attention." arXiv (2017). https://doi.org/10.48550/arXiv.1706.03762',
    'Tell me if this email is a promotion.\n\nSubject: A transaction\nMerchant\nDate\n05/12/2021',
    'Write a summary of the plan for the new office',
  ])('is an honest no for other work on pasted text: %s', (text) => {
    expect(quote(text, { listings: builtinMarket() })).toMatchObject({ outcome: 'unavailable' })
  })

  it('lists the meaningful words that no step uses', () => {
    expect(planned(flagship).unusedWords).toEqual([])
    expect(planned(`${flagship}, and compare it with the weather`).unusedWords).toEqual(['weather'])
    // A name that is no company of the figures may change what is meant.
    expect(quote(`${flagship}, and compare it with the weather in Oslo`)).toMatchObject({
      outcome: 'question',
      question: expect.stringContaining('I do not know what to do with “Oslo”.'),
    })
  })

  it('distinguishes a budget that is too small from work that no agent does', () => {
    const { total } = planned(flagship)
    expect(quote(flagship, { payable: 1_200_000n })).toMatchObject({ outcome: 'over_budget' })
    expect(quote(flagship, { payable: total })).toMatchObject({ outcome: 'planned', total })
  })

  it.each([
    ['another language', 'Vorrei conoscere il fatturato annuo di Microsoft dal 2014 al 2020', 'The goal is in Italian.'],
    ['German that no phrase covers', 'Hilf mir bitte bei meiner Steuererklärung', 'Keine verfügbare Fähigkeit passt'],
    ['work that nobody offers', 'Paint my fence green next Tuesday', 'skills online fits these words.'],
  ])('refuses %s before any money moves', (_what, text, reason) => {
    expect(quote(text)).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining(reason) })
  })

  it('reads a goal in German and reports that the answer is in English', () => {
    const { summary, unusedWords, steps } = planned('Umsatz von Apple 2015 bis 2022 als Diagramm und Bericht')
    expect(summary).toMatch(/^Die Antwort ist auf Englisch\./)
    expect(unusedWords).toEqual([])
    expect(steps.map(({ skillId }) => skillId)).toContain('report.write')
  })

  it('plans no team where a part of a goal in German is not understood', () => {
    expect(quote('Umsatz von Apple 2015 bis 2022 als Diagramm, aber ohne die Sparte Dienstleistungen')).toMatchObject({
      outcome: 'question',
      question: expect.stringContaining('“Dienstleistungen”'),
    })
  })

  it('asks about a word that a translated goal does not need, instead of ignoring it', () => {
    const attachments = [{ name: 'a.csv', sha256: 'h', media_type: 'text/csv', artifact_type: 'table.csv', size: 40 }]
    const heads = { h: { text: '门店,月份,销售额(元)\n城东店,1月,18320\n城西店,1月,16400\n', isWhole: true } }
    const ask = (text: string) =>
      quote(text, { goal: { text, criteria: [], answers: [], attachments, heads } as never, listings: builtinMarket() })
    expect(ask('帮我算一下每个门店的总额,从高到低排一下,再算各店占总额的百分比。')).toMatchObject({
      outcome: 'question',
      question: expect.stringContaining('“百分比”'),
    })
    expect(planned('Wieviel sind 36 psi in bar?', { listings: builtinMarket() }).steps).toHaveLength(1)
  })

  it('names the file that a direct call needs by its place', () => {
    const file = (name: string, sha256: string) => ({ name, sha256, media_type: 'text/csv', artifact_type: 'table.csv', size: 40 })
    const goal = {
      ...{ text: 'What is the total of sales per shop?', criteria: [], answers: [], attachments: [file('sales.csv', 'b')] },
      heads: { b: { text: 'shop,sales\nNorth,5\nSouth,7\nNorth,2\n', isWhole: true } },
    }
    const [step] = planned(goal.text, { goal: goal as never, listings: builtinMarket() }).steps
    expect(step?.skillId).toBe('table.question')
    expect(step?.inputs).toContainEqual({ port: expect.any(String), type: 'table.csv', file: 0 })
    const team = planned('Plot the revenue of Apple from 2016 to 2020 as SVG and write a report', { listings: builtinMarket() })
    expect(team.steps.at(-1)?.inputs).toBeNull()
  })

  it('names the closest skills with their agents', () => {
    const answer = quote('Review my novel for quality')
    expect(answer).toMatchObject({
      outcome: 'unavailable',
      closest: expect.arrayContaining([expect.objectContaining({ handle: 'house-reviewer', skill: 'Review against the criteria' })]),
    })
  })

  it('asks what only the client can answer', () => {
    expect(quote('Please write a report about the revenue of that company')).toMatchObject({
      outcome: 'question',
      question: expect.stringContaining('Which company'),
    })
  })

  describe('of a skill with nested inputs', () => {
    const size = { type: 'object', required: ['kg'], properties: { kg: { type: 'number', minimum: 0.1 }, cm: { type: 'integer' } } }
    const schema = {
      ...{ type: 'object', required: ['parcels', 'speed'] },
      properties: { parcels: { type: 'array', minItems: 1, items: size, description: 'What is sent.' }, speed: { enum: ['slow', 'fast'] } },
    }
    const input = { name: 'order', type: 'order.parcels', description: '', optional: false, schema }
    const output = { name: 'label', type: 'parcel.label', description: 'A label.', optional: false }
    const skill = { id: 'parcel.book', name: 'Book a parcel', description: 'Books parcels.', inputs: [input], outputs: [output] }
    const carrier = {
      ...(listings[0] as Listing),
      ...{ agent_id: idOf('agt', 'carrier'), handle: 'carrier', skills: [{ ...skill, price: '5', tags: ['carrier'], samples: [] }] },
    } as unknown as Listing
    const text = 'Book a parcel with a carrier, fast'
    const ask = (values?: readonly GivenValue[]) =>
      quote(text, {
        listings: [...listings, carrier],
        goal: { text, criteria: [], attachments: [], answers: [], ...(values && { values }) },
      })

    it('names what is missing, with its schema and what the words give', () => {
      expect(ask()).toMatchObject({
        outcome: 'question',
        question: expect.stringContaining('carrier offers “Book a parcel”'),
        needs: [{ handle: 'carrier', skillId: 'parcel.book', port: 'order', type: 'order.parcels', schema, data: { speed: 'fast' } }],
      })
    })

    it('plans with the value that the client gives', () => {
      const data = { parcels: [{ kg: 2.5 }], speed: 'slow' }
      const answer = ask([{ type: 'order.parcels', data }])
      expect(answer).toMatchObject({ outcome: 'planned', steps: [{ handle: 'carrier', inputs: [{ port: 'order', data }] }] })
    })

    it('says what is wrong with a value, and ignores one for another type', () => {
      const wrong = ask([{ type: 'order.parcels', data: { parcels: [{ kg: 0 }], speed: 'slow' } }])
      expect(wrong).toMatchObject({
        outcome: 'question',
        needs: [{ faults: [expect.stringContaining('parcels.0.kg')], data: { speed: 'slow' } }],
      })
      expect(ask([{ type: 'order.other', data: {} }])).toEqual(ask())
    })
  })

  it('says so if no planner is online', () => {
    expect(quote(flagship, { planner: null })).toMatchObject({ outcome: 'unavailable', reason: expect.stringContaining('No planner') })
  })
})
