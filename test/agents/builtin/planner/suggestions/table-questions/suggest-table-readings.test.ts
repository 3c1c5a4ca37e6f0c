import { describe, expect, it } from 'vitest'
import { suggestedTexts } from '../suggested-texts.ts'

const tips = ['jar.csv', 'date,name,start_hour,tips\n2025-05-02,Ida,7,21.50\n2025-05-02,Rolf,12,17.00\n2025-05-03,Ida,7,34.20\n'] as const
const members = ['liste.csv', 'Name;Ort;Beitrag\nAlm;Husum;60\nBirk;Kiel;\nClas;Husum;45\n'] as const
const stand = ['stand.csv', 'produit;jour;euros\nmiel;samedi;184\nbougies;samedi;96\nmiel;dimanche;142\n'] as const
const shops = ['shops.csv', 'shop_no,name,town\n101,Bell,Leeds\n102,Harrow,York\n'] as const
const orders = ['orders.csv', 'order,shop_no,amount\nA1,101,120.00\nA2,102,75.50\nA3,101,20.00\n'] as const
const phones = ['报名.csv', '姓名,电话,楼栋\n王芳,13800000001,3栋\n李强,13800000002,1栋\n王芳,13800000001,3栋\n'] as const

describe('a table with columns that are no amounts', () => {
  it('sums the named amount and never the hours of a clock, and adds what all comes to', () => {
    const texts = suggestedTexts('I need how much tip money each person gets, biggest first, and what it all comes to', tips)
    expect(texts[0]).toBe('What is the total of tips per name, highest first? What is the total of tips?')
    expect(texts.filter((text) => text.includes('start_hour'))).toEqual([])
  })

  it('counts different telephone numbers and sums none', () => {
    const texts = suggestedTexts('电话号码一样就算同一个人，麻烦看看谁重复了，实际一共多少人？', phones)
    expect(texts[0]).toBe('Which 电话 occurs more than once? How many different 电话 are there?')
    expect(texts.filter((text) => /total|总额/.test(text))).toEqual([])
  })
})

describe('two operations in one sentence', () => {
  it('lists rows with an empty cell and sums the others', () => {
    expect(suggestedTexts('Wo beim Beitrag nichts drinsteht, wer ist das, und wieviel Geld ist bisher da?', members)[0]).toBe(
      'List Name where Beitrag is missing. What is the total of Beitrag?',
    )
  })

  it('draws first where a drawing is wished for', () => {
    const goal = "Je voudrais voir en dessin, avec des barres, ce que chaque produit m'a rapporté, du plus fort au plus faible."
    expect(suggestedTexts(goal, stand)[0]).toBe(
      'Draw a bar chart of euros per produit. What is the total of euros per produit, highest first?',
    )
  })

  it('joins two tables for the total of a group that only one has', () => {
    const goal = 'Orders are in one file, where the shops are in the other. How much money did we take from each town, best at the top?'
    expect(suggestedTexts(goal, shops, orders)[0]).toBe(
      'Join orders.csv with shops.csv. What is the total of amount per town, highest first?',
    )
  })

  it('joins nothing where no table has the group', () => {
    const texts = suggestedTexts('How much money did we take from each salesman?', shops, orders)
    expect(texts.filter((text) => text.includes(' per '))).toEqual([])
  })
})
