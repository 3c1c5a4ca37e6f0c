import { describe, expect, it } from 'vitest'
import { rewriteChineseRequest } from '../../../../../../agents/builtin/planner/intent/languages/rewrite-chinese-request.ts'

describe('rewriteChineseRequest', () => {
  it.each([
    [
      '我存25000元，年利率2.75%，每年复利一次，存三年，到期一共能拿多少钱？',
      'I invest 25000 元 at 2.75% interest a year, compounded yearly, for 3 years. How much do I get at the end?',
    ],
    [
      '存入2万元，年利率为3%，按月复利，存十二年，到期能拿多少钱',
      'I invest 20000 元 at 3% interest a year, compounded monthly, for 12 years. How much do I get at the end?',
    ],
    ['我身高175厘米，体重70公斤，BMI是多少？', 'what is 70 / 1.75^2'],
    ['身高1.6米，体重100斤，bmi多少', 'what is 50 / 1.6^2'],
  ])('%s', (text, english) => {
    expect(rewriteChineseRequest(text)).toBe(english)
  })

  // Without a word on compound interest, a deposit may have simple interest.
  it.each(['我存25000元，年利率2.75%，存三年，到期一共能拿多少钱？', '我身高175厘米，体重70公斤，每年长多少？'])('leaves %s', (text) => {
    expect(rewriteChineseRequest(text)).toBeUndefined()
  })
})
