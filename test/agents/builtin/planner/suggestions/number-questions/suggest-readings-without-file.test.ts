import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

describe('Roman numerals in a story', () => {
  it.each([
    ['The clock in our church has MDCCLIV on it, any idea which year they mean?', 'What number is MDCCLIV?'],
    ['Am Rathaus steht MDCCXC, was ist das für ein Jahr?', 'What number is MDCCXC?'],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)[0]).toBe(text))

  it.each(['In what year did Louis XIV die?', 'How many numbers are on a CD?'])('are not read in: %s', (goal) =>
    expect(suggestedTexts(goal)).toEqual([]),
  )
})

describe('working days', () => {
  it('offers the first day as one of them, and as none', () => {
    expect(suggestedTexts('Ich muss noch 15 Arbeitstage arbeiten, der erste ist der 05.05.2025. Wann ist mein letzter Tag?')).toEqual([
      'What date is 14 working days after 5 May 2025?',
      'What date is 15 working days after 5 May 2025?',
    ])
  })

  it('takes no weekend as the first working day', () => {
    expect(suggestedTexts('I owe them 15 working days, first day is Saturday 3 May 2025, so when am I done')).toEqual([
      'What date is 15 working days after 3 May 2025?',
    ])
  })
})

describe('tax in a price', () => {
  it.each([
    ['Ich hab 595 Euro auf der Quittung, da sind 19 % MwSt schon drin. Was bleibt netto und was geht ans Finanzamt?', '595', '19'],
    ["J'ai payé 360 euros TTC avec une TVA de 20 %, ça fait combien hors taxe ?", '360', '20'],
    ['La factura es de 242 euros con el 21 % de IVA incluido, ¿cuánto es sin IVA?', '242', '21'],
    ["Roofer here. They gave me 960 quid all in, the tax man's 20% is inside that. What is mine?", '960', '20'],
  ])('%s', (goal, price, tax) =>
    expect(suggestedTexts(goal)[0]).toBe(`${price} gross including ${tax}% VAT: what is the net amount and the VAT?`),
  )
})

describe('a discount before the tax', () => {
  it.each([
    ['Tisch 800 € netto, Kundin kriegt 5 % Nachlass, dann 19 % Steuer drauf. Was schreib ich auf die Rechnung?', '800', '5', '19'],
    ['Une armoire à 1200 € HT, je fais une remise de 5 % puis 20 % de TVA. Combien sur la facture ?', '1200', '5', '20'],
    ['Una mesa de 800 euros, descuento del 10 % y luego 21 % de IVA. ¿Cuánto paga el cliente?', '800', '10', '21'],
  ])('%s', (goal, price, discount, tax) =>
    expect(suggestedTexts(goal)).toEqual([`1 item for ${price}, ${discount}% discount, ${tax}% VAT: what is the total?`]),
  )

  it('reads tenths of the price in Chinese', () => {
    expect(suggestedTexts('这件衣服原价460元，现在打七五折，多少钱？')).toEqual(['1 item for 460, 25% discount: what is the total?'])
  })

  it('never drops a percentage whose meaning is unclear', () => {
    expect(suggestedTexts('A bike for 900 pounds with 10% off, and my cousin wants 3% of it for himself, how much?')).toEqual([])
  })
})

describe('a bill that is split', () => {
  it.each([
    ['Die Rechnung war 234,60 Euro, wir waren zu fünft, wie viel zahlt jeder?', '1 item for 234.60, split between 5 people'],
    ["L'addition fait 148 euros, on est 4 personnes, combien chacun ?", '1 item for 148, split between 4 people'],
    ['我们6个同事吃饭，账单480元，打九折，平摊，每人多少钱？', '1 item for 480, 10% discount, split between 6 people'],
  ])('%s', (goal, problem) => expect(suggestedTexts(goal)).toEqual([`${problem}: what does each pay?`]))

  it('offers the client as one more person and as one of them', () => {
    expect(suggestedTexts('L’addition fait 120 euros, moi et 3 amis, combien chacun ?')).toEqual([
      '1 item for 120, split between 4 people: what does each pay?',
      '1 item for 120, split between 3 people: what does each pay?',
    ])
  })
})

describe('a loan in a story', () => {
  it('needs no word for a loan where a rate a year is paid monthly', () => {
    expect(
      suggestedTexts(
        'Dealer will let me have 12,400 dollars over 3 years at 5.5% a year (a twelfth of the 5.5 each month), first payment after one month. What do I pay each month and how much extra?',
      ),
    ).toEqual(['Loan of 12400 at 5.5% a year, paid monthly, over 3 years: monthly payment and total interest'])
  })

  it('takes savings for no loan', () => {
    expect(suggestedTexts('I put away 200 pounds each month at 4% a year for 10 years, what do I have then?')).toEqual([])
  })
})

describe('fuel economy in words', () => {
  it('offers both gallons where none is named', () => {
    expect(suggestedTexts('Das Auto vom Onkel fährt 31 Meilen pro Gallone, wieviel Liter sind das auf 100 km?')).toEqual([
      'Convert 31 US mpg to L/100 km',
      'Convert 31 imperial mpg to L/100 km',
    ])
  })

  it.each([
    ['un coche hace 25 millas por galón (americanos). ¿cuantos litros gasta cada 100 km?', 'Convert 25 US mpg to L/100 km'],
    ['The brochure says 6.4 litres per 100 km, what is that in miles per gallon, British gallons', 'Convert 6.4 L/100 km to imperial mpg'],
  ])('%s', (goal, text) => expect(suggestedTexts(goal)).toEqual([text]))
})

describe('years', () => {
  it('have no sum', () => {
    expect(suggestedTexts('draw for me how much Nimbus and Acorn took in altogether over 2021, 2022 and 2023')).toEqual([])
  })
})
