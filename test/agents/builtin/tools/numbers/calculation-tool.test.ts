import { describe, expect, it } from 'vitest'
import { calculationTool } from '../../../../../agents/builtin/tools/numbers/calculation-tool.ts'
import { askTool, runTool, toolGoal } from './ask-tool.ts'

const ask = (text: string) => askTool(calculationTool, text)

describe('number.calculation', () => {
  it.each([
    ['What is 15% of 240?', '15% of 240 = 36.'],
    ["what's 3^40", '3^40 = 12,157,665,459,056,928,801.'],
    ['2+2', '2 + 2 = 4.'],
    ['Please calculate 0.1 + 0.2 for me, thanks!', '0.1 + 0.2 = 0.3.'],
    ['How much is 1/3 + 1/4?', '1 ÷ 3 + 1 ÷ 4 = 7/12 ≈ 0.583333333333.'],
    ['Can you tell me what 17 times 23 is?', '17 × 23 = 391.'],
    ['Hi, could you work out 12.5% of 1,980 for me please? Thanks!', '12.5% of 1,980 = 247.5.'],
    ['calculate the square root of 2 to 20 digits', '√2 ≈ 1.4142135623730950488.'],
    ['what is seven times eight', '7 × 8 = 56.'],
    ['What is 5 + 3 * (2 - 8) / 4', '5 + 3 × (2 − 8) ÷ 4 = 0.5.'],
    ['How much is 999999999999 × 999999999999?', '999999999999 × 999999999999 = 999,999,999,998,000,000,000,001.'],
    ['Calculate "12 * 7 + 3"', '12 × 7 + 3 = 87.'],
    ['Calculate: 12*7 + 3', '12 × 7 + 3 = 87.'],
    ['What do you get if you multiply 13 by 17?', '13 × 17 = 221.'],
    ['What is the sum of all integers from 1 to 100?', 'The sum of the integers from 1 to 100 = 5,050.'],
    ['average of 3, 5 and 10', 'average(3, 5, 10) = 6.'],
    ['what is 17 modulo 5', '17 mod 5 = 2.'],
    ['two thirds of 90', '2 ÷ 3 × 90 = 60.'],
    ['twenty-five percent of eighty', '25% of 80 = 20.'],
    ['My bill is $84.50, what is 15% of 84.50?', '15% of 84.50 = 12.675.'],
    ['What is 2+2 and what is 3*3?', '2 + 2 = 4. 3 × 3 = 9.'],
  ])('%s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    ['Solve 3x + 7 = 22', 'x = 5.'],
    ['Solve 3x + 7 = 25 - 6x', 'x = 2.'],
    [
      'How many litres of paint do I need for the walls of a room 4.2 m by 3.6 m and 2.5 m high, two coats, if a litre covers 10 square metres?',
      '2 × (4.2 + 3.6) × 2.5 × 2 ÷ 10 = 7.8.',
    ],
    ['solve for x: 2x - 5 = x/3 + 10', 'x = 9.'],
    ['3(y − 2) = 4y + 1', 'y = −7.'],
    ['What is x if 4x = 10?', 'x = 2.5.'],
    ['Please solve 7a + 2 = 4 for a', 'a = 2/7 ≈ 0.285714285714.'],
    ['If 2n + 1 = 1,001, what is n?', 'n = 500.'],
    ['solve the equation 2x + 3 = 2x + 3', 'Every number for x solves it.'],
    ['solve 2x + 3 = 2x + 4', 'No number for x solves it.'],
  ])('solves %j', async (goal, answer) => {
    expect((await ask(goal)).replace('-', '−')).toBe(answer)
  })

  it.each([
    ['Split 240 euros between Anna and Ben in the ratio 3:5', '240 in the ratio 3 : 5 is 90 : 150.'],
    ['Divide 1,000 in the ratio 1 to 2', '1,000 in the ratio 1 : 2 is about 333.33 : 666.67.'],
    ['share $60 in the ratio 1:2:3', '60 in the ratio 1 : 2 : 3 is 10 : 20 : 30.'],
    ['What is the average of my grades 2.3, 1.7, 3.0 and 1.3?', 'average(2.3, 1.7, 3.0, 1.3) = 2.075.'],
    ['Weighted average: exam 60% with 1.7, homework 40% with 2.3', 'The weighted mean of 2 values is 1.94, with weights of 100% together.'],
    [
      'What is the weighted mean of 80 (30%), 90 (30%) and 70 (20%)?',
      'The weighted mean of 3 values is 81.25, with weights of 80% together.',
    ],
  ])('%s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    ['split 240 in the ratio 0:5'],
    ['split my rent in the ratio 3:5'],
    ['weighted average of 80, 90 and 70'],
    ['weighted average of 80 (30%) and 90'],
    ['average of my grades'],
  ])('does not take %j', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it.each([
    ['x = 5'],
    ['solve x^2 = 9'],
    ['solve x * x = 9'],
    ['solve x + y = 3'],
    ['solve 2x + 3'],
    ['solve 2x + 1 = 5 for y'],
    ['solve 1/x = 4'],
    ['solve this riddle: a = b'],
    ['e = mc2'],
  ])('does not take %j as an equation', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it.each([
    ['30 is what percent of 120?', '30 ÷ 120 = 25%.'],
    ['What percent of 50 is 20?', '20 ÷ 50 = 40%.'],
    ['percentage change from 80 to 100', '(100 − 80) ÷ 80 = 25%.'],
    ['Increase 240 by 15%', '240 + 15% = 276.'],
    ['What is 20% off $80?', '80 − 20% = 64.'],
    ["What's a 15% tip on $84.50?", '15% of 84.50 = 12.675.'],
    ['250 plus 19% VAT', '250 + 19% = 297.5.'],
    ['12 is 25% of what number?', '12 ÷ 25% = 48.'],
    ['3/8 as a percentage', '3 ÷ 8 = 37.5%.'],
    ['What is $1,000 at 5% interest for 10 years compounded monthly?', '1,000 × (1 + 5% ÷ 12)^(10 × 12) ≈ 1,647.01.'],
  ])('reads the percentage in %s', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it.each([
    ['0.125 as a fraction', '0.125 = 1/8.'],
    ['round 3.14159 to two decimals', '3.14159 ≈ 3.14.'],
    ['What is 255 in hexadecimal?', '255 = FF (base 16).'],
    ['binary 1011 to decimal', '0b1011 = 11.'],
    ['prime factors of 360', '360 = 2^3 × 3^2 × 5.'],
    ['Is 97 a prime number?', '97 is a prime number.'],
    ['Which is bigger, 3/7 or 4/9?', '4 ÷ 9 is larger: 3 ÷ 7 < 4 ÷ 9 (0.428571428571 and 0.444444444444).'],
    ['sin(30 degrees)', 'sin(30°) ≈ 0.5.'],
    ['what is the greatest common divisor of 84 and 126', 'gcd(84, 126) = 42.'],
    ['how many ways to choose 3 from 10', 'choose(10, 3) = 120.'],
  ])('writes the result that %s asks for', async (goal, answer) => {
    expect(await ask(goal)).toBe(answer)
  })

  it('puts a long result into the file', async () => {
    const { outputs, text } = await runTool(calculationTool, 'What is 2^1000?')
    expect(text).toContain('302 digits, the last ten are 5668069376')
    expect(outputs).toMatchObject([{ media_type: 'text/markdown', artifact_type: 'number.result' }])
    expect(outputs[0]?.text.replaceAll(',', '')).toContain((2n ** 1_000n).toString())
  })

  it.each([
    ['What is 5 divided by 0?', 'The calculation divides by zero, which has no result.'],
    ['9^9^9', 'The power has more than 6,000 digits; I do not compute with those.'],
    ['what is the square root of -4', 'An even root of a negative number is not a real number.'],
    ['calculate 1e4000 * 1e4000', 'A number of the calculation has more than 6,000 digits; I do not compute with those.'],
    ['100000!', 'I compute factorials of the integers from 0 to 1,500.'],
  ])('refuses %s with the reason', async (goal, reason) => {
    expect(await ask(goal)).toBe(`refused: ${reason}`)
  })

  it('refuses a query that is no arithmetic, and never evaluates code', () => {
    for (const expression of ['import("fs")', 'x = 3', 'process.exit()', 'while(1){}', '1; delete all', '('.repeat(400)])
      expect(() => calculationTool.run({ inputs: [{ port: 'query', type: 'query.calculation', data: { expression } }] })).toThrow(
        /I cannot read/,
      )
  })

  it.each([
    'translate 5 miles of text',
    'Write a 2-3 page essay',
    'What happened on 9/11?',
    'I need 24/7 support',
    'What is 5 star hotel',
    'Call 555-1234',
    'Plan a 3 day trip for 2 people',
    'What is the total revenue by region?',
    'Calculate 15% of 240. Then write a poem about it.',
    'How many days are between 2027-03-03 and 2027-04-01?',
    'What is 42?',
    'calculate 1e99999 * 2',
    'Translate "3^40" to French',
    'Was sind 15% von 240?',
    'Combien font 3 + 4 ?',
  ])('does not take %s', async (goal) => {
    expect(await ask(goal)).toBe('not taken')
  })

  it('takes time that is linear in the goal', () => {
    const before = performance.now()
    calculationTool.readGoal(toolGoal('what is 1 of '.repeat(300)))
    calculationTool.readGoal(toolGoal(`is ${'1 is '.repeat(700)}`))
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})

describe('statistics of numbers in a goal', () => {
  it.each([
    [
      'I need the mean, median and sample standard deviation of my lab readings: 9.81, 9.79, 9.84, 9.77, 9.82, 9.90',
      'Of 6 numbers (lab readings): mean ≈ 9.82167, median 9.815 and sample standard deviation ≈ 0.0453505 (n − 1).',
    ],
    ['population standard deviation of 2, 4, 4, 4, 5, 5, 7, 9', 'Of 8 numbers: population standard deviation 2 (n).'],
    ['What is the average of my lab readings: 9, 10, 12?', 'Of 3 numbers (lab readings): mean ≈ 10.3333.'],
    [
      'What are the mean, median, mode, range and standard deviation of 2, 4, 4, 4, 5, 5, 7, 9?',
      'Of 8 numbers: mean 5, median 4.5, mode 4 (3 times), range 7 (2 to 9) and standard deviation ≈ 2.13809 (sample, n − 1) or 2 (population, n).',
    ],
    ['mean and mode of 1, 2, 3', 'Of 3 numbers: mean 2 and no mode, because each number occurs once.'],
    ['modes of 1, 1, 2, 2, 3', 'Of 5 numbers: modes 1 and 2 (2 times each).'],
    ['range of 3.5, -1 and 2', 'Of 3 numbers: range 4.5 (−1 to 3.5).'],
  ])('%s', async (goal, answer) => {
    expect((await askTool(calculationTool, goal)).replaceAll('-', '−')).toBe(answer.replaceAll('-', '−'))
  })

  it('reads no words between the numbers', async () => {
    expect(await askTool(calculationTool, 'mean and median of 1, apples, 3')).not.toMatch(/^Of/)
  })
})
