/** `number.loans`: payments and interest of loans, and savings with compound interest. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { quoteInline } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { asksForOtherWork } from './asks-for-other-work.ts'
import { isEnglish } from './is-english.ts'
import { compareRationals, subtract } from './rational.ts'
import type { LoanProblem } from './read-loan.ts'
import { readLoanForSeveralTerms } from './read-loan-for-several-terms.ts'
import { type LoanAnswer, solveLoan } from './solve-loan.ts'
import { splitSentences } from './split-sentences.ts'
import { writeCurrencyAmount } from './write-currency-amount.ts'

const skill: ToolSkill = {
  id: 'number.loans',
  name: 'Calculate loans and savings',
  description:
    'The monthly payment and total interest of an annuity loan, how long a loan takes to pay off, and savings with compound or simple interest.',
  inputs: [
    {
      name: 'query',
      type: 'query.loan',
      description: 'The amount, the interest rate and the term.',
      optional: false,
      schema: {
        type: 'object',
        required: ['loan'],
        properties: {
          loan: { type: 'string', minLength: 1, maxLength: 1_000, description: 'Such as `loan of 12,000 EUR at 4.5% over 36 months`.' },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: 'loan.result', description: 'The amounts with the formula, as Markdown.', optional: false }],
  price: '100000',
  tags: ['loan', 'mortgage', 'monthly payment', 'interest', 'annuity', 'savings', 'compound interest', 'repayment'],
  samples: [
    {
      title: 'A loan',
      input: { loan: 'loan of 12,000 EUR at 4.5% over 36 months, monthly payment?' },
      output:
        'The monthly payment is 356.96 EUR for 12,000.00 EUR at 4.5% a year over 3 years (36 months); in total 12,850.67 EUR, of which 850.67 EUR is interest.',
    },
  ],
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!isEnglish(goal.text) || goal.files.length > 0 || splitSentences(goal.text).some(asksForOtherWork)) return undefined
  const text = goal.text.trim()
  const read = readLoanForSeveralTerms(text)
  if (!read) return undefined
  if ('question' in read) return { confidence: 0.85, question: read.question }
  return { confidence: 0.95, query: { loan: text }, summary: `I compute interest: ${quoteInline(text)}.` }
}

function run(work: SkillRequest): SkillResponse {
  const { loan } = requireData(work, 'query.loan')
  const text = typeof loan === 'string' ? loan : refuse('The query needs a `loan`.')
  const read = readLoanForSeveralTerms(text)
  if (!read)
    return refuse(
      `I cannot read “${text.slice(0, 120)}” as a loan or savings. Write such as “loan of 12,000 EUR at 4.5% over 36 months, monthly payment?”`,
    )
  if ('question' in read) return refuse(read.question)
  const answers = read.problems.map(solveLoan)
  const sentence = [...answers.map((one) => one.sentence), ...differenceOf(read.problems, answers)].join(' ')
  const parts = answers.map(({ sentence: answer, rows, method }) => {
    const table = rows.map(([label, value]) => `| ${label} | ${value} |`).join('\n')
    return `${answer}\n\n| | |\n| :-- | --: |\n${table}\n\n${method}\n`
  })
  const body = `# Interest\n\n${parts.join('\n')}`
  return { outputs: [{ name: 'interest.md', media_type: 'text/markdown', artifact_type: 'loan.result', text: body }], text: sentence }
}

/** What the shorter of two terms costs and saves. */
function differenceOf(problems: readonly LoanProblem[], answers: readonly LoanAnswer[]): string[] {
  const [first, second] = answers.map(({ figures }) => figures)
  const [one, other] = problems
  if (problems.length !== 2 || !first || !second || !one || !other) return []
  const [long, short] = one.months > other.months ? [first, second] : [second, first]
  if (compareRationals(short.payment, long.payment) <= 0) return []
  const write = (value: typeof long.payment) => writeCurrencyAmount(value, one.currency)
  return [
    `The shorter term costs ${write(subtract(short.payment, long.payment))} more a month and saves ${write(subtract(long.interest, short.interest))} of interest.`,
  ]
}

export const loansTool: Tool = { skill, readGoal, run }
