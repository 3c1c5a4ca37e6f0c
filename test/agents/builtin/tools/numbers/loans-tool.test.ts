import { describe, expect, it } from 'vitest'
import { loansTool } from '../../../../../agents/builtin/tools/numbers/loans-tool.ts'
import { askTool, runTool, toolGoal } from './ask-tool.ts'

const ask = (text: string) => askTool(loansTool, text)

describe('number.loans', () => {
  it.each([
    [
      'I put seven thousand dollars into a savings account at 3% a year for two years, what do I get?',
      'After 2 years (24 months) it is 7,426.30 dollars: 7,000.00 dollars paid in and 426.30 dollars interest, at 3% a year, added once a year.',
    ],
    [
      'Loan of 15 thousand euros at 4% over 5 years, what is the monthly payment?',
      'The monthly payment is 276.25 EUR for 15,000.00 EUR at 4% a year over 5 years (60 months); in total 16,574.87 EUR, of which 1,574.87 EUR is interest.',
    ],
    [
      'My loan: 12000 euro at 4.5% yearly over 36 months, whats the monthly payment?',
      'The monthly payment is 356.96 EUR for 12,000.00 EUR at 4.5% a year over 3 years (36 months); in total 12,850.67 EUR, of which 850.67 EUR is interest.',
    ],
    [
      'I want to borrow $250,000 at 6.5% for 30 years. What is the monthly payment and total interest?',
      'The monthly payment is $1,580.17 for $250,000.00 at 6.5% a year over 30 years (360 months); in total $568,861.22, of which $318,861.22 is interest.',
    ],
    [
      'Car costs 24,000, down payment 4,000, loan at 5.9% over 48 months. Monthly payment?',
      'The monthly payment is 468.78 for 20,000.00 after 4,000.00 paid down at 5.9% a year over 4 years (48 months); in total 22,501.64, of which 2,501.64 is interest.',
    ],
    [
      'monthly payment for a loan of 8.000,00 € at 3,9 % p.a., 5 years',
      'The monthly payment is 146.97 € for 8,000.00 € at 3.9% a year over 5 years (60 months); in total 8,818.29 €, of which 818.29 € is interest.',
    ],
    [
      '0% financing for 1200 over 12 months, monthly rate?',
      'The monthly payment is 100.00 for 1,200.00 at 0% a year over 12 months; in total 1,200.00, of which 0.00 is interest.',
    ],
    [
      'How long does it take to pay off a 5000 dollar credit at 18% if I pay 200 a month?',
      '5,000.00 dollars at 18% a year is paid off after 32 months (2 years and 8 months) with 200.00 dollars a month; the last payment is 113.96 dollars, and the interest is 1,313.96 dollars in total.',
    ],
  ])('loans: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    [
      'If I invest 5000 euros at 3% per year for 10 years, how much will I have?',
      'After 10 years (120 months) it is ≈ 6,719.58 EUR: 5,000.00 EUR paid in and ≈ 1,719.58 EUR interest, at 3% a year, added once a year.',
    ],
    [
      '10000 invested at 7% for 15 years compounded quarterly',
      'After 15 years (180 months) it is ≈ 28,318.16: 10,000.00 paid in and ≈ 18,318.16 interest, at 7% a year, added each quarter.',
    ],
    [
      'I save 200 a month at 4% for 20 years, what do I have in the end?',
      'After 20 years (240 months) it is ≈ 73,354.93: 48,000.00 paid in and ≈ 25,354.93 interest, at 4% a year, added each month.',
    ],
    [
      'Start with 1000, add 50 every month, 2.5% compounded monthly, 5 years. How much will my savings be?',
      'After 5 years (60 months) it is ≈ 4,325.03: 4,000.00 paid in and ≈ 325.03 interest, at 2.5% a year, added each month.',
    ],
    [
      'simple interest on 1000 deposited at 5% for 3 years',
      'The simple interest is 150.00 on 1,000.00 at 5% a year for 3 years (36 months); the sum is 1,150.00.',
    ],
  ])('savings: %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('asks for the one thing that is missing, and reads the answer', async () => {
    expect(await ask('loan of 10000 over 24 months')).toBe('asks: Which interest rate per year do I use? Answer such as “4.5%”.')
    expect(await ask('loan of 10000 over 24 months\n5%')).toMatch(/^The monthly payment is 438\.71 for/)
    expect(await ask('loan 10,000 at 5%')).toMatch(/^asks: Over how many months or years/)
    expect(await ask('loan 10,000 at 5%\n24 months')).toMatch(/^The monthly payment is 438\.71 for/)
  })

  it('writes the formula', async () => {
    const { outputs } = await runTool(loansTool, 'loan of 12000 EUR at 4.5% over 36 months')
    expect(outputs).toMatchObject([{ name: 'interest.md', artifact_type: 'loan.result' }])
    expect(outputs[0]?.text).toContain('payment = loan × i × (1 + i)^n ÷ ((1 + i)^n − 1)')
    expect(outputs[0]?.text).toContain('| Total interest | 850.67 EUR |')
  })

  it('refuses what has no answer', async () => {
    expect(await ask('How long to pay off a 5000 loan at 24% if I pay 100 a month?')).toMatch(
      /^refused: 100\.00 a month does not cover the interest/,
    )
    const inputs = [{ port: 'query', type: 'query.loan', data: { loan: 'a good loan' } }]
    expect(() => loansTool.run({ inputs })).toThrow(/I cannot read “a good loan” as a loan or savings/)
  })

  it.each([
    'Which bank has the best loan for 10000 at 5% for 2 years',
    'loan 100000, 4% for the first 5 years then 6%, 20 years',
    'Can I afford a mortgage of 200000 at 4% over 20 years?',
    'I took a loan of 15000 at 6% for 4 years with 10% fees',
    'Should I invest 5000 at 3% or pay off my loan at 4% in 2 years?',
    'loan of 10000 EUR and 500 USD at 5% over 24 months',
    'Write a letter to my bank about my loan of 10000 at 5% over 24 months',
    'invest 10000 in bitcoin for 2 years at 5%',
    'We are a start-up and need a loan of 50000',
    'Save 20% on 80 euros',
  ])('does not take %s', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('takes time that is linear in the goal', () => {
    const before = performance.now()
    loansTool.readGoal(toolGoal(`loan of 10000 at 5% ${'a month '.repeat(90)}`))
    loansTool.readGoal(toolGoal(`save 5 ${'every month deposits '.repeat(38)}`))
    expect(performance.now() - before).toBeLessThan(2_000)
  })

  it.each([
    'mortage of 240000 at 4.5% a year, paid monthly, 25 yrs. whats the montly payment and the total intrest? and the same if we do 20 yrs insted',
    'Monthly payment for a 240000 mortgage at 4.5% for 25 years vs 20 years',
    'We borrow 240000 for a house at 4.5% over 25 years. What do we pay per month? And what about 20 years?',
  ])('computes both terms of %s', async (text) => {
    const reading = loansTool.readGoal({ text, words: text, quotations: [], files: [] })
    if (!reading || 'question' in reading) throw new Error('not read')
    const { text: answerText } = await loansTool.run({ inputs: [{ port: 'query', type: 'query.loan', data: reading.query }] })
    expect(answerText).toContain('The monthly payment is 1,334.00 for 240,000.00 at 4.5% a year over 25 years (300 months)')
    expect(answerText).toContain('of which 160,199.38 is interest')
    expect(answerText).toContain('The monthly payment is 1,518.36 for 240,000.00 at 4.5% a year over 20 years (240 months)')
    expect(answerText).toContain('The shorter term costs 184.36 more a month and saves 35,793.34 of interest.')
  })

  it.each([
    'mortgage of 200000 at 4% for 25 years. Is 20 years better?',
    'mortgage of 200000 at 4% for 25 years, and 20 years with an extra payment of 5000',
  ])('does not read %s', (text) => {
    expect(loansTool.readGoal({ text, words: text, quotations: [], files: [] })).toBeUndefined()
  })
})
