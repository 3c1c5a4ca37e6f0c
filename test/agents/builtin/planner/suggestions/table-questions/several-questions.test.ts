import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

const fees = [
  'boats.csv',
  'Berth,Owner,Fee due,Paid,Remarks\nA1,Ruiz,240.00,240.00,\nA2,Holm,240.00,90.00,\nB1,Vance,310.00,,abroad\nB2,Ito,310.00,330.00,too much\n',
] as const
const till = ['kasse.csv', 'Tag;Beleg;Betrag;Art\n1.3.;1;12,50;bar\n1.3.;2;30,00;Karte\n2.3.;3;7,25;bar\n2.3.;4;18,00;Karte\n'] as const
const trips = [
  'trips.csv',
  'date,client,purpose,odometer start,odometer end\n2026-01-03,Bell,business,1000,1080\n2026-01-05,home,private,1080,1100\n2026-01-09,Orr,bus.,1100,1250\n',
] as const
const pay = [
  'lohn.csv',
  'Nr,Name,Team,Grundlohn,Zulage,Abzug,Status\n1,Ada,Nord,2000,100,50,aktiv\n2,Ben,Süd,1900,,0,aktiv\n3,Cem,Nord,2100,200,,weg\n4,Dora,Süd,1800,50,20,aktiv\n',
] as const
const shelf = ['shelf.csv', 'wine,price,stock\nRioja,8.50,12\nDao,6.00,2\nMerlot,9.25,1\n'] as const
const quiz = ['quiz.csv', 'name,group,points /50\nAda,G1,40\nBen,G2,20\nCid,G1,30\nDee,G2,absent\n'] as const
const ledger = [
  'ledger.csv',
  'Date,Text,Money in,Money out,Category\n1 May 2026,Tickets,80.00,,Show\n2 May 2026,Hall,,120.00,show\n3 May 2026,Cake,35.00,,Cafe\n',
] as const

describe('amounts that no column has', () => {
  it('lists debts, the largest one and their sum, without what was paid too much', () => {
    expect(
      suggestedTexts(
        'my harbour sheet for spring. who is behind, and how much are they behind altogether? Ito paid ahead, that is his',
        fees,
      )[0],
    ).toBe(
      'List Owner, (Fee due - Paid) where (Fee due - Paid) is more than 0. Which Owner has the highest total of (Fee due - Paid)? What is the total of (Fee due - Paid) where (Fee due - Paid) is more than 0? Count empty cells as 0.',
    )
  })

  it('takes the difference of two readings, with abbreviated cells, at a rate', () => {
    expect(
      suggestedTexts(
        'mileage claim: how many miles were business, and what do I get at 45 pence per mile? the private one does not count',
        trips,
      )[0],
    ).toBe(
      'What is the total of (odometer end - odometer start) where purpose is business or "bus."? What is the total of ((odometer end - odometer start) * 0.45) where purpose is business or "bus."?',
    )
  })

  it('follows a formula of the client', () => {
    expect(
      suggestedTexts(
        'Lohnliste: netto = Grundlohn + Zulage - Abzug, leer gilt als 0. Wie viele Leute, Summe und Durchschnitt je Team? weg nicht mitzählen',
        pay,
      )[0],
    ).toContain('(Grundlohn + Zulage - Abzug) per Team where Status is not weg')
  })

  it('shows the balance of each category', () => {
    expect(suggestedTexts('theatre club money. what is our balance for may, and did the show make money?', ledger)[0]).toBe(
      'What is the total of (Money in - Money out)? What is the total of (Money in - Money out) per Category? Count empty cells as 0.',
    )
  })
})

describe('several questions in a story', () => {
  it.each([
    [
      'which bottles have fewer than three pieces left, and what is the value of all the stock at the shelf price?',
      shelf,
      'List wine, stock where stock is less than 3. What is the total of stock × price?',
    ],
    [
      'club quiz. average as a percentage please. Then the average for G1 and G2 apart, and who got less than half',
      quiz,
      'What is the average of (points /50 / 50 * 100)? What is the average of points /50 per group? List name, points /50 where points /50 is less than 25.',
    ],
  ] as const)('%s', (goal, file, text) => expect(suggestedTexts(goal, file)[0]).toBe(text))

  it('offers totals with their shares', () => {
    expect(suggestedTexts('wie viel ist bar und mit Karte reingekommen, und wieviel Prozent sind das jeweils?', till).join('\n')).toContain(
      'What is the total of Betrag per Art, highest first? What is the share of Betrag per Art?',
    )
  })
})
