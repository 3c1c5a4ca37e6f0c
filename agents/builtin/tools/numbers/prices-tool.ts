/** `number.prices`: quotes, bills, discounts, VAT, tips and shares of a bill. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { quoteInline } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { answerMarginQuestion, type MarginAnswer } from './answer-margin-question.ts'
import { asksForOtherWork } from './asks-for-other-work.ts'
import { compareUnitPrices } from './compare-unit-prices.ts'
import { isEnglish } from './is-english.ts'
import { readPriceCalculation } from './read-price-calculation.ts'
import { solvePriceCalculation } from './solve-price-calculation.ts'
import { splitSentences } from './split-sentences.ts'
import { isWholeCents, writeCurrencyAmount, writeExact } from './write-currency-amount.ts'

const skill: ToolSkill = {
  id: 'number.prices',
  name: 'Calculate prices',
  description:
    'Adds up quotes and bills with quantities, discounts, VAT or sales tax, tips, shipping and deposits; finds the net amount in a gross one; splits a bill; computes mark-up and margin; compares offers by the price of one unit.',
  inputs: [
    {
      name: 'query',
      type: 'query.price_calculation',
      description: 'The prices and what changes them.',
      optional: false,
      schema: {
        type: 'object',
        required: ['calculation'],
        properties: {
          calculation: {
            type: 'string',
            minLength: 1,
            maxLength: 2_000,
            description: 'Such as `3 chairs at 79.50 each, 10% discount, 19% VAT`.',
          },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: 'price.result', description: 'A table of all amounts, as Markdown.', optional: false }],
  price: '100000',
  tags: ['price', 'vat', 'net', 'gross', 'discount', 'tip', 'bill', 'quote', 'invoice', 'split', 'sales tax', 'total', 'markup', 'margin'],
  samples: [
    {
      title: 'A quote',
      input: { calculation: '3 chairs at 79.50 each, 10% discount, 19% VAT' },
      output: '3 chairs 238.50, 10% discount 23.85, after discount 214.65, 19% VAT 40.78, total 255.43.',
    },
  ],
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!isEnglish(goal.text) || goal.files.length > 0) return undefined
  const text = goal.text.trim()
  const compared = compareUnitPrices(text)
  if (!compared && splitSentences(text).some(asksForOtherWork)) return undefined
  const read = compared ?? readPriceCalculation(text) ?? answerMarginQuestion(text)
  if (!read) return undefined
  if ('question' in read) return { confidence: 0.85, question: read.question }
  return { confidence: 0.95, query: { calculation: text }, summary: `I calculate prices: ${quoteInline(text)}.` }
}

/** Counted things as the client wrote them. The reader knows small letters only. */
function asWritten(label: string, text: string): string {
  const at = /^[\d,.]+ \p{L}/u.test(label) ? text.toLowerCase().indexOf(label.toLowerCase()) : -1
  return at < 0 ? label : text.slice(at, at + label.length)
}

/** @throws {SkillRefused} if the text is no calculation with prices */
function solveText(text: string): MarginAnswer {
  const read = compareUnitPrices(text) ?? readPriceCalculation(text) ?? answerMarginQuestion(text)
  if (!read)
    return refuse(
      `I cannot read “${text.slice(0, 120)}” as prices. Write quantities, prices and percentages, such as “3 chairs at 79.50 each, 10% discount, 19% VAT”.`,
    )
  if ('question' in read) return refuse(read.question)
  return 'problem' in read ? { solution: solvePriceCalculation(read.problem), currency: read.problem.currency } : read
}

function run(work: SkillRequest): SkillResponse {
  const { calculation } = requireData(work, 'query.price_calculation')
  const text = typeof calculation === 'string' ? calculation : refuse('The query needs a `calculation`.')
  const { solution, currency } = solveText(text)
  const { notes } = solution
  const rows = solution.rows.map((row) => ({ ...row, label: asWritten(row.label, text) }))
  const parts = rows
    .filter(({ isShown }) => isShown)
    .map(({ label, amount }, index) => `${index === 0 ? label : lowerFirst(label)} ${writeCurrencyAmount(amount, currency)}`)
  const table = rows.map(
    ({ label, how, amount }) => `| ${label} | ${how} | ${writeCurrencyAmount(amount, currency)} | ${writeExact(amount)} |`,
  )
  const body = `# Prices\n\n| Amount | How | Rounded | Exact |\n| :-- | :-- | --: | --: |\n${table.join('\n')}\n\n${['Rounded half up to cents.', ...notes].join(' ')}\n`
  const rounded = rows.some(({ amount, isShown }) => isShown && !isWholeCents(amount)) ? ' (rounded to cents)' : ''
  const answer = [`${parts.join(', ')}${rounded}.`, ...notes].join(' ')
  return {
    outputs: [{ name: 'prices.md', media_type: 'text/markdown', artifact_type: 'price.result', text: body }],
    text: answer.length <= 500 ? answer : `${parts.at(-1)}. The file has all ${rows.length} amounts.`,
  }
}

/** `VAT` and `EUR` keep their case. */
const lowerFirst = (label: string): string => (/^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label)

export const pricesTool: Tool = { skill, readGoal, run }
