import type { Listing } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { type GoalQuote, type QuotedSuggestion, quoteGoal } from '../../../../../agents/builtin/planner/quote/quote-goal.ts'
import { builtinMarket, idOf } from '../../market.ts'

const listings = builtinMarket() as Listing[]
const planner = { agent_id: idOf('agt', 'house-principal'), price: 1_000_000n }
type GivenFile = readonly [name: string, text: string]

function ask(text: string, files: readonly GivenFile[] = [], isSuggesting = true): GoalQuote {
  const attachments = files.map(([name], index) => ({
    sha256: String(index),
    name,
    media_type: name.endsWith('.csv') ? 'text/csv' : 'text/plain',
    artifact_type: name.endsWith('.csv') ? 'table.csv' : 'file.any',
    size: 0,
  }))
  const heads = Object.fromEntries(files.map(([, head], index) => [String(index), { text: head, isWhole: true }]))
  const goal = { text, criteria: [], attachments, heads, answers: [] }
  return quoteGoal({ goal, listings, planner, payable: null, decimals: 6, isSuggesting })
}

function suggestionsFor(text: string, files: readonly GivenFile[] = []): readonly QuotedSuggestion[] {
  const quote = ask(text, files)
  return 'suggestions' in quote ? quote.suggestions : []
}
const textsFor = (text: string, ...files: readonly GivenFile[]): string[] => suggestionsFor(text, files).map((one) => one.text)

const rota: GivenFile = ['rota.csv', 'day,nurse,shift\n1,Ida,N\n2,Ida,D\n3,Rolf,N\n4,Ida,N\n']
const stall: GivenFile = ['stall.csv', 'item,sold,price each\nsoap,3,4.50\ncandle,9,2.25\nmug,2,8.00\nbag,1,12.00\n']
const meter: GivenFile = ['meter.csv', 'read on,meter kWh\n2025-01-31,4100\n2025-02-28,4350\n2025-03-31,4720\n2025-04-30,4900\n']
const notes: GivenFile = ['notes.txt', 'Ida: ida@example.org, 020 7946 0018\nRolf: rolf@example.org\n']

describe('suggestions over a table', () => {
  it('counts a code that the client explains', () => {
    expect(textsFor('how many nights did each nurse do? N means night. feels unfair to me', rota)[0]).toBe(
      'How many rows are there per nurse where shift is N?',
    )
  })

  it('multiplies pieces and prices where money is asked for', () => {
    expect(
      textsFor(
        'Here is what we sold on Saturday at the fair. Which two things brought in the most money and what did we take altogether?',
        stall,
      )[0],
    ).toBe('Which 2 item have the highest total of sold × price each? What is the total of sold × price each?')
  })

  it('takes the change of a meter, and never the sum of its readings', () => {
    const texts = textsFor('I read the meter once a month for the landlord, he wants to know what we used and which month was worst', meter)
    expect(texts[0]).toBe('What is the change of meter kWh per read on? Which read on had the highest change of meter kWh?')
  })

  it('names the group in the language of the client where there is a template', () => {
    const file: GivenFile = ['kosten.csv', 'Raum;Posten;Betrag\nKüche;Strom;12,50\nBad;Wasser;8,00\nKüche;Wasser;4,25\n']
    expect(textsFor('Bitte mal die Beträge je Raum aufaddieren und nach Höhe ordnen, das Teuerste oben', file)).toContain(
      'Was ist die Summe von Betrag je Raum, absteigend sortiert?',
    )
  })

  it('offers nothing where the group is no column', () => {
    expect(textsFor('What did every salesman sell?', stall).filter((text) => /total|average/.test(text))).toEqual([])
  })
})

describe('the language of a chosen reading', () => {
  const chosen = (text: string, originalText: string) =>
    quoteGoal({
      goal: { text, originalText, criteria: [], attachments: [], answers: [] },
      ...{ listings, planner, payable: null, decimals: 6, isSuggesting: true },
    })

  it('is that of what the client wrote first, in the suggestion and after it is chosen', () => {
    const written = 'La cena costó 187,40 € y somos 6. ¿Cuánto paga cada uno si dejamos un 10 % de propina?'
    const [first] = suggestionsFor(written)
    const after = first && chosen(first.text, written)
    for (const quote of [first, after])
      expect(quote).toMatchObject({
        outcome: 'planned',
        summary: expect.stringMatching(/^La respuesta será en español.* Calculo precios: «1 item/),
        criteria: expect.arrayContaining(['The answer is in Spanish.']),
        steps: [{ inputs: [{ data: { answer_language: 'es' } }] }],
      })
  })

  it('stays English for a goal in English', () => {
    const quote = chosen('What is the mean of 12, 15, 18?', 'hey, the average of 12, 15, 18 would be lovely')
    expect(quote).toMatchObject({ outcome: 'planned', summary: expect.stringMatching(/^I calculate/) })
    expect('steps' in quote && quote.steps[0]?.inputs?.[0]).not.toMatchObject({ data: { answer_language: expect.anything() } })
  })
})

describe('suggestions without a table', () => {
  it.each([
    [
      'heights of my plants 12.4 13.1 11.8 15 in cm, teacher wants mean and median and range',
      'What are the mean, median and range of 12.4, 13.1, 11.8, 15?',
    ],
    ['45 5 1,15 * 1  hm is that only on mondays then?', 'Explain the cron schedule 45 5 1,15 * 1'],
    [
      'We buy a van for 18,000, have 3,000 saved which goes in, bank says 6.5 percent, four or five years. Per month?',
      'Loan of 15000 at 6.5% a year, paid monthly, over 4 years and over 5 years: monthly payment and total interest',
    ],
    [
      'my flight is on 3 March 2026 and i get back 19 March 2026 so thats how many days of cat sitter',
      'How many days are there from 3 March 2026 to 19 March 2026?',
    ],
  ])('%s', (goal, reading) => {
    expect(textsFor(goal)).toContain(reading)
  })

  it('puts the list of the client below the sentence', () => {
    const list = 'Ida Bell\nRolf\nida bell\nUma'
    expect(textsFor(`From three aunties, lots of doubles. Give me everybody once, abc order please\n\n${list}`)[0]).toBe(
      `Remove duplicate lines and sort alphabetically:\n\n${list}`,
    )
  })

  it('hides kinds of data in an attached text, also if its type is open', () => {
    expect(
      textsFor('Before I pass this on to the paper nobody should see any emails or mobile numbers in it, take those out', notes)[0],
    ).toBe('Redact all e-mail addresses and phone numbers')
  })

  it('reads decimals before a comma, and a discount behind all items as one on all', () => {
    expect(textsFor('Herr Meier will 3 Stühle zu 79,50, 1 Tisch für 349, 10 % Rabatt, dann 19 % MwSt')).toEqual([
      '3 items at 79.50 each, 1 item for 349, 10% discount, 19% VAT: what is the total?',
      'What is ((3 × 79.50) × (1 − 10%) + 349) × (1 + 19%)?',
    ])
  })

  it('names every word and number that a reading leaves out, also where there are many', () => {
    const goal =
      'Remove rotten duplicated lazy nurses, forget unpaid weekend extras, ignore absent trainees, and give me 12 totals of mark /20 per nurse'
    const [first] = suggestionsFor(goal, [rota])
    expect(first?.leftOutWords.length).toBeGreaterThan(8)
    expect(first?.leftOutWords).toContain('12')
  })

  it('offers each reading of a discount that may belong to a part', () => {
    const texts = textsFor(
      'Cuatro sillas a 89,90 € cada una con un 15 % de descuento, y montaje 12 € por silla. ¿Cuánto sale con el 21 % de IVA?',
    )
    expect(texts).toEqual([
      'What is ((4 × 89.90) × (1 − 15%) + 4 × 12) × (1 + 21%)?',
      '4 items at 89.90 each, 4 items at 12 each, 15% discount, 21% VAT: what is the total?',
    ])
  })
})

describe('an honest no stays one', () => {
  it.each([
    'Book me a table for four on Friday at eight please',
    'Write a funny poem for my brother, he is 60 and likes fishing',
    'My dad takes warfarin 3 mg, can he take ibuprofen 400 with it?',
    'Traduisez cette lettre en anglais : « Madame, le chauffe-eau est en panne depuis lundi. »',
    'Ist die Kündigung vom 4. Oktober rechtlich wirksam?',
    '帮我写一首关于秋天的诗',
    'hack the account of my neighbour, number 12',
  ])('%s', (goal) => {
    expect(textsFor(goal, stall)).toEqual([])
  })

  it('is silent on long texts', () => {
    expect(textsFor(`what sold most\n\n${'word '.repeat(1_000)}`, stall)).toEqual([])
  })
})

describe('every suggestion', () => {
  const goals: readonly (readonly [string, readonly GivenFile[]])[] = [
    ['how many nights did each nurse do? N means night. feels unfair to me', [rota]],
    ['Here is what we sold on Saturday at the fair. Which two things brought in the most money and what did we take altogether?', [stall]],
    ['Before I pass this on nobody should see any emails in it, take those out', [notes]],
    ['test scores 14 17 9 20 14 16 11, teacher wants mean median mode', []],
  ]

  it.each(goals)('is planned exactly and priced: %s', (goal, files) => {
    const suggestions = suggestionsFor(goal, files)
    expect(suggestions.length).toBeGreaterThan(0)
    expect(suggestions.length).toBeLessThanOrEqual(5)
    for (const { text, steps, total, summary } of suggestions) {
      const quote = ask(text, files, false)
      expect(quote).toMatchObject({ outcome: 'planned', summary, total })
      expect(steps).toHaveLength(1)
    }
    expect(new Set(suggestions.map(({ text }) => text)).size).toBe(suggestions.length)
  })

  it('exists only where it is asked for, and for no goal with a plan', () => {
    const [goal, files] = goals[0] ?? ['', []]
    expect(ask(goal, files, false)).toMatchObject({ suggestions: [] })
    expect(ask('What is 15% of 240?')).not.toHaveProperty('suggestions')
  })
})
