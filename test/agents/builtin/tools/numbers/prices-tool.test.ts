import { describe, expect, it } from 'vitest'
import { pricesTool } from '../../../../../agents/builtin/tools/numbers/prices-tool.ts'
import { askTool, runTool, toolGoal } from './ask-tool.ts'

const ask = (text: string) => askTool(pricesTool, text)

describe('number.prices', () => {
  it.each([
    ['Whats 1,249.90 net plus 20% vat? I need net, vat and gross', 'Net 1,249.90, 20% VAT 249.98, total 1,499.88.'],
    ['What is the gross price of 480 net at 19% VAT?', 'Net 480.00, 19% VAT 91.20, total 571.20.'],
    ['net amount of 119 gross with 19% VAT', 'Gross 119.00, net 100.00, 19% VAT 19.00.'],
    ['net 80, vat 19%', 'Net 80.00, 19% VAT 15.20, total 95.20.'],
    ["What's the sales tax on $80 at 7%?", 'Price $80.00, 7% sales tax $5.60, total $85.60.'],
    ['If VAT is 20%, what is 99 plus VAT?', 'Price 99.00, 20% VAT 19.80, total 118.80.'],
    [
      'Invoice gross is 595.00 EUR including 19% VAT. what was the net amount and how much vat?',
      'Gross 595.00 EUR, net 500.00 EUR, 19% VAT 95.00 EUR.',
    ],
    ['invoice over 1.190,00 € incl. 19% VAT - net and VAT?', 'Invoice 1,190.00 €, net 1,000.00 €, 19% VAT 190.00 €.'],
    ['How much VAT is in 240 at 20%?', 'Price 240.00, net 200.00, 20% VAT 40.00.'],
    ['remove 20% VAT from 240', 'Price 240.00, net 200.00, 20% VAT 40.00.'],
    ['What is the net price of 119 euros with 19% VAT?', 'Gross 119.00 EUR, net 100.00 EUR, 19% VAT 19.00 EUR.'],
    ['Calculate the net of 238 at 19% VAT', 'Gross 238.00, net 200.00, 19% VAT 38.00.'],
    ['What is the net amount of 119 including 19% VAT?', 'Gross 119.00, net 100.00, 19% VAT 19.00.'],
    ["What's the gross amount of 240 at 20% VAT?", 'Net 240.00, 20% VAT 48.00, total 288.00.'],
    ['net price of 100, 19% VAT, what is the total?', 'Net 100.00, 19% VAT 19.00, total 119.00.'],
    ['What is the gross total for a net price of 50 with 20% VAT?', 'Net 50.00, 20% VAT 10.00, total 60.00.'],
    ['price with 19% vat is 119, whats the net', 'Price 119.00, net 100.00, 19% VAT 19.00.'],
  ])('tax: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    ['A jacket costs 129.99 and is 35% off. How much do I pay?', 'Price 129.99, 35% discount 45.50, total 84.49 (rounded to cents).'],
    [
      '20% off and then another 10% off a 250 dollar coat, final price?',
      'Price 250.00 dollars, 20% discount 50.00 dollars, after discount 200.00 dollars, 10% discount 20.00 dollars, total 180.00 dollars.',
    ],
    ['price 100 minus 20% minus 10%', 'Price 100.00, 20% discount 20.00, after discount 80.00, 10% discount 8.00, total 72.00.'],
    ['I paid 64 euros after 20% off. What was the original price?', 'Price 64.00 EUR, original price 80.00 EUR, saved 16.00 EUR.'],
    ['How much do I save with 30% off a 149 euro bag?', 'Price 149.00 EUR, 30% discount 44.70 EUR, total 104.30 EUR.'],
    ['discount 10% VAT 19% price 500', 'Price 500.00, 10% discount 50.00, after discount 450.00, 19% VAT 85.50, total 535.50.'],
  ])('discounts: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('names things as the client wrote them, also with letters of other languages', async () => {
    const response = await runTool(pricesTool, '3 Stühle at 79.50, 1 Tisch at 349, 10 % discount, then 19 % vat')
    expect(JSON.stringify(response)).toContain('| 3 Stühle | 3 × 79.5 | 238.50 |')
  })

  it.each([
    [
      'split a bill of 186.40 between 5 people with 15% tip',
      'Bill 186.40, 15% tip 27.96, total 214.36, each of 5 42.87 (rounded to cents). 5 rounded shares are 0.01 less than the total.',
    ],
    [
      'We were 4 people, the bill was $132.80 and we want to leave a 20% tip. How much each?',
      'Bill $132.80, 20% tip $26.56, total $159.36, each of 4 $39.84.',
    ],
    ['Split 240 between me and 3 friends, 10% tip', 'Price 240.00, 10% tip 24.00, total 264.00, each of 4 66.00.'],
    ['Bill $54.20 tip 18%', 'Bill $54.20, 18% tip $9.76, total $63.96 (rounded to cents).'],
    ['bill 80, 8% tax and 18% tip\nbefore tax', 'Bill 80.00, 8% tax 6.40, sum 86.40, 18% tip 14.40, total 100.80.'],
  ])('bills: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    [
      'I have to make a quote: 3 chairs at 79.50 each, 1 table for 349, 10% discount on everything, then 19% VAT. What is the total?',
      'Subtotal 587.50, 10% discount 58.75, after discount 528.75, 19% VAT 100.46, total 629.21 (rounded to cents).',
    ],
    [
      'Quote: 12 hours at 85 per hour, materials for 240, shipping 15.50, 20% VAT. Total please',
      'Subtotal 1,260.00, shipping 15.50, sum 1,275.50, 20% VAT 255.10, total 1,530.60.',
    ],
    ['3 chairs for 79.50 plus 19% VAT', '3 chairs 79.50, 19% VAT 15.11, total 94.61 (rounded to cents).'],
    ['7 bottles @ 8.99, 3 boxes @ 12.49, discount 5%', 'Subtotal 100.40, 5% discount 5.02, total 95.38.'],
    ['2 x 14.99 and 1 x 8.50, 5 euro voucher, whats the total', 'Subtotal 38.48 EUR, discount 5.00 EUR, total 33.48 EUR.'],
    [
      'The total is 2,000 EUR plus 19% VAT. We take a 30% deposit. How much is the deposit?',
      'Price 2,000.00 EUR, 19% VAT 380.00 EUR, total 2,380.00 EUR, 30% deposit 714.00 EUR, rest 1,666.00 EUR.',
    ],
    [
      'a desk for 199, 15% off, plus delivery 29',
      '1 desk 199.00, 15% discount 29.85, after discount 169.15, delivery 29.00, total 198.15.',
    ],
  ])('quotes: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    [
      'A product costs me 30 and I sell it for 50. What is my margin and markup?',
      'Cost 30.00, price 50.00, profit 20.00. Mark-up on the cost: ≈ 66.67%. Margin of the price: 40%.',
    ],
    ['cost 80, markup 25%, selling price?', 'Cost 80.00, price 100.00, profit 20.00. Mark-up on the cost: 25%. Margin of the price: 20%.'],
    [
      'I buy mugs for 4.20 and want a 60% margin. What price should I charge?',
      'Cost 4.20, price 10.50, profit 6.30. Mark-up on the cost: 150%. Margin of the price: 60%.',
    ],
    [
      'Selling price is 99 EUR with a 40% margin, what did it cost?',
      'Cost 59.40 EUR, price 99.00 EUR, profit 39.60 EUR. Mark-up on the cost: ≈ 66.67%. Margin of the price: 40%.',
    ],
    [
      'bought for 12.50, sold for 20, profit?',
      'Cost 12.50, price 20.00, profit 7.50. Mark-up on the cost: 60%. Margin of the price: 37.5%.',
    ],
  ])('margins: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('asks for the one thing that is missing, and reads the answer', async () => {
    const goal = "What's the price of a 1200 EUR laptop with VAT?"
    expect(await ask(goal)).toBe('asks: Which tax rate in percent do I use? Answer such as “19%”.')
    expect(await ask(`${goal}\n19%`)).toBe('Price 1,200.00 EUR, 19% tax 228.00 EUR, total 1,428.00 EUR.')
    expect(await ask('bill 80, 8% tax and 18% tip')).toMatch(/^asks: Is the tip a percentage of the amount before tax or after tax\?/)
    expect(await ask('Split a bill of 90 with 10% tip')).toMatch(/^asks: Between how many people/)
    expect(await ask('Split a bill of 90 with 10% tip\n3 people')).toBe('Bill 90.00, 10% tip 9.00, total 99.00, each of 3 33.00.')
  })

  it('writes a table of all amounts, exact and rounded', async () => {
    const { outputs } = await runTool(pricesTool, '3 chairs at 79.50 each, 1 table for 349, 10% discount on everything, then 19% VAT')
    expect(outputs).toMatchObject([{ name: 'prices.md', artifact_type: 'price.result' }])
    expect(outputs[0]?.text).toContain('| 3 chairs | 3 × 79.5 | 238.50 | 238.5 |')
    expect(outputs[0]?.text).toContain('| 19% VAT | 19% of 528.75 | 100.46 | 100.4625 |')
  })

  it('refuses a query that is no calculation with prices', () => {
    const inputs = [{ port: 'query', type: 'query.price_calculation', data: { calculation: 'the best price' } }]
    expect(() => pricesTool.run({ inputs })).toThrow(/I cannot read “the best price” as prices/)
  })

  it.each([
    'If I buy 2 lamps at 39.95 each and a desk for 199, and I get 15% off the desk, what is the total?',
    'I sell shirts for 20 each but every third is free, 19% VAT, what do 7 cost?',
    'A jacket costs 80 or 100, 20% off, which is cheaper?',
    "10% off for members, price 50. I'm not a member. What do I pay?",
    '10 licenses at 49 EUR each per month, 15% volume discount, how much per year?',
    'Write an invoice for 3 chairs at 79.50 each plus 19% VAT',
    '100 EUR and 50 USD plus 19% VAT',
    'price 1.250 eur plus 19% vat',
    '2 chairs 40, 19% VAT',
    '2 lamps at 40 each, 10% off, a desk for 199',
    '3 chairs at 50 each plus 20 shipping, 10% discount',
    'split 100 euros so that Tom gets 20% more than Ann',
    'is 19% VAT on 100 the right rate for books in Germany?',
    'The bill is 100, tip 10%, Anna pays 30',
    'My invoice says 3 items, the delivery note says 4, and the customer says 2. Find out who is right.',
    'Book me a flight from Vienna to Lisbon next Friday under 150 euros',
    'First translate the letter of my landlord, then tell me whether he may raise the rent by 20%',
    'Was kosten 3 Stühle zu je 79,50 mit 19% MwSt und ist das viel?',
    'Transfer 100 USDC to me with 10% tip',
    'My salary is 50000 with 20% tax, what do I get net?',
    'income 3000, tax 25%, how much is left?',
    '2 tickets for 30 plus 2 booking fees of 3',
    'price is 100 including a 10% discount',
    'Price is 150 after 25% discount, how much did I save?',
    'bake at 375F for 25 minutes, whats that in celsius',
    'I bought 10 shirts for 100 and sold 8 for 15 each. Profit?',
    'what is a good profit margin for a shop with 20% markup',
    'cost 80, margin 30%, price 120',
  ])('does not take %s', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('takes time that is linear in the goal', () => {
    const before = performance.now()
    pricesTool.readGoal(toolGoal('3 chairs at 79.50 each and '.repeat(50)))
    pricesTool.readGoal(toolGoal(`what is the price of ${'a very nice '.repeat(100)}chair`))
    pricesTool.readGoal(toolGoal(`1 ${'x '.repeat(700)}5`))
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})
