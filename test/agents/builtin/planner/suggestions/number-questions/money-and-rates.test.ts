import { describe, expect, it } from 'vitest'
import {
  numberWordsToDigits,
  withDecimalPoints,
} from '../../../../../../agents/builtin/planner/suggestions/number-questions/number-words-to-digits.ts'
import { suggestedTexts } from '../suggested-texts.ts'

describe('numbers in words', () => {
  it.each([
    ['nine thousand four hundred and twelve', '9412'],
    ['eight and a half', '8.5'],
    ['dreihundertsiebenundvierzig', '347'],
    ['zweieinhalb', '2.5'],
    ['quatre-vingt-douze', '92'],
    ['trois cent vingt et un', '321'],
    ['mil doscientos treinta y cuatro', '1234'],
    ['seis y medio por ciento', '6.5 por ciento'],
    ['once a year, per cent, un total', 'once a year, per cent, un total'],
  ])('%s', (words, digits) => expect(numberWordsToDigits(words)).toBe(digits))

  it('keeps lists and groups of thousands', () => {
    expect(withDecimalPoints('1,2,3 and 12,345 and 3.210,75 and 8,25')).toBe('1,2,3 and 12,345 and 3210.75 and 8.25')
  })
})

describe('money that grows', () => {
  it.each([
    'Aunt Rosa wants to put away four thousand euros for the twins, the credit union gives 2.5 percent once a year, nobody touches it for six years. What is it then and what part is the interest?',
    'Ich lege 4.000 Euro für sechs Jahre an, 2,5 Prozent im Jahr. Wie viel habe ich dann und wie viel davon sind Zinsen?',
    'Je place 4000 euros sur un livret à 2,5 % par an pendant six ans, combien à la fin ?',
  ])('%s', (goal) => expect(suggestedTexts(goal)).toEqual(['What is 4000 × (1 + 2.5%)^6? What is 4000 × (1 + 2.5%)^6 − 4000?']))

  it('reads no other period', () => {
    expect(suggestedTexts('I save 4000 euros at 0.2 percent a month for six years, how much is it then?')).toEqual([])
  })
})

describe('other currencies', () => {
  it.each([
    [
      'I change 800 pounds at 1.17 euros per pound and they keep 3 percent as a fee first. How many euros do I get?',
      'What is 800 × (1 − 3%) × 1.17?',
    ],
    ['Wechselstube: 640 Euro, Kurs 1,08 Dollar pro Euro, vier Prozent Gebühr. Wie viel Dollar?', 'What is 640 × (1 − 4%) × 1.08?'],
    ['I have 500 dollars and the rate is 1.25 dollars per euro, how many euros?', 'What is 500 / 1.25?'],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)[0]).toContain(text))
})

describe('prices for several nouns', () => {
  it.each([
    [
      'Camping: 5 nights at 18.50 per night, and 2.20 per person and night for 3 persons, plus 35 euros for the electricity. How much is it in total?',
      'What is 5 × 18.50 + 3 × 5 × 2.20 + 35?',
    ],
    [
      'Bootsverleih: 3 Stunden, 24,50 pro Stunde, dazu 15 Euro Pfand, geteilt durch 6. Wie viel ist das?',
      'What is 3 × 24.50 + 15? What is (3 × 24.50 + 15) / 6?',
    ],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)[0]).toBe(text))
})

describe('a bill with a fixed part', () => {
  it('shares what is left', () => {
    expect(
      suggestedTexts('Dinner was 212.60, ten percent tip on all of it, Rolf pays 20 and the other five split the rest. How much each?'),
    ).toEqual(['What is 212.60 × (1 + 10%)? What is (212.60 × (1 + 10%) − 20) / 5?'])
  })
})

describe('two discounts', () => {
  it.each([
    'Ein Sofa für 840 Euro, erst 20 % Rabatt und dann noch 5 % Rabatt. Was zahle ich am Ende?',
    'Un canapé à 840 euros, moins 20 % de remise et encore 5 % sur le prix réduit, je paie combien ?',
  ])('%s', (goal) =>
    expect(suggestedTexts(goal)[0]).toBe('What is 840 × (1 − 20%) × (1 − 5%)? What is 1 − (1 − 20%) × (1 − 5%) in percent?'),
  )
})

describe('amounts of a recipe', () => {
  it.each([
    [
      'Soup recipe for 3 people: 300 g leeks, 2 potatoes and half a litre stock. There are eleven people coming, scale it please',
      'Scale from 3 to 11 servings',
    ],
    ['Rezept für 6 Personen: 400 g Linsen, 2 Zwiebeln, 1,5 Liter Brühe. Wir sind fünfzehn. Bitte umrechnen', 'Scale from 6 to 15 servings'],
  ])('%s', (goal, start) => expect(suggestedTexts(goal)[0]).toContain(start))
})

describe('a loan with a down payment', () => {
  it('needs no sign of a percentage', () => {
    expect(
      suggestedTexts(
        'The boat costs 9,400 and I am putting 1,400 down. The rest is spread over 3 years, same amount every month, at 5.4 a year. What do I pay a month?',
      )[0],
    ).toBe('Loan of 8000 at 5.4% a year, paid monthly, over 3 years: monthly payment and total interest')
  })
})
