/** `number.calculation`: exact arithmetic. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { stripPoliteness } from '../strip-politeness.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { answerCalculation, joinAnswers } from './answer-calculation.ts'
import { asksForOtherWork, isRemark } from './asks-for-other-work.ts'
import { isEnglish } from './is-english.ts'
import { readCalculation, readCalculations } from './read-calculation.ts'
import { splitSentences } from './split-sentences.ts'

const skill: ToolSkill = {
  id: 'number.calculation',
  name: 'Calculate',
  description:
    'Exact arithmetic with numbers of any size: sums, percentages, powers, roots, fractions, averages, factorials, primes, rounding and other bases.',
  inputs: [
    {
      name: 'query',
      type: 'query.calculation',
      description: 'What to calculate.',
      optional: false,
      schema: {
        type: 'object',
        required: ['expression'],
        properties: {
          expression: {
            type: 'string',
            minLength: 1,
            maxLength: 2_000,
            description: 'Symbols or English words, such as `15% of 240` or `3^40`.',
          },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: 'number.result', description: 'The result with its exact form, as Markdown.', optional: false }],
  price: '100000',
  tags: ['calculate', 'arithmetic', 'math', 'percent', 'percentage', 'fraction', 'power', 'square root', 'average', 'prime'],
  samples: [
    { title: 'A percentage', input: { expression: '15% of 240' }, output: '15% of 240 = 36.' },
    { title: 'A large power', input: { expression: '3^40' }, output: '3^40 = 12,157,665,459,056,928,801.' },
  ],
}

/** Numbers with a slash or a hyphen that are dates, times or ranges rather than sums. */
const idioms = /^(?:24\/7|9\/11|7\/7|50\/50|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|[+\d][\d -]{6,}|\d+-\d+)$/
const explicit = /\b(?:calculate|compute|evaluate|work out|simplify|divided|minus|times|plus|subtract|equals?)\b/i

type FoundCalculation = { readonly text: string; readonly confidence: number }

/** The calculation of a sentence, of the material that it quotes, or of its last clause. */
function findCalculation(sentence: string): FoundCalculation | undefined {
  const bare = stripPoliteness(sentence)
  if (idioms.test(bare.replace(/^(?:what is|what's) /, '')) && !explicit.test(sentence)) return undefined
  if (readCalculations(sentence)) return { text: sentence, confidence: 0.95 }
  const marker = /\b(?:what(?:'s|’s| is| are| would be)|how much is|calculate|compute|work out|evaluate)\b/gi
  const starts = [...sentence.matchAll(marker)].map((match) => match.index).filter((at) => at > 0)
  for (const start of starts.slice(0, 5)) {
    const tail = sentence.slice(start)
    if (readCalculation(tail) && !asksForOtherWork(sentence.slice(0, start))) return { text: tail, confidence: 0.85 }
  }
  return undefined
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!isEnglish(goal.text)) return undefined
  const isQuoted =
    goal.quotations.length > 0 &&
    /\b(?:calculate|compute|evaluate|solve|work out|result|answer|how much|what is|what's)\b/i.test(goal.words)
  const quoted = isQuoted && !asksForOtherWork(goal.words) ? goal.quotations.filter((one) => readCalculation(one)) : []
  if (isQuoted && quoted.length === goal.quotations.length && quoted.length > 0) return request(quoted, 0.9)
  const sentences = splitSentences(goal.text)
  const found = sentences.map(findCalculation)
  const isElse = sentences.some((sentence, index) => !found[index] && !(isRemark(sentence) && sentence.length < 200))
  const texts = found.flatMap((one) => (one ? [one.text] : []))
  if (texts.length === 0 || isElse) return undefined
  const confidence = Math.min(...found.flatMap((one) => (one ? [one.confidence] : [0.85])))
  return request(texts, confidence)
}

function request(texts: readonly string[], confidence: number): ToolReading {
  const expression = texts.map((text) => stripPoliteness(text)).join('; ')
  if (expression.length > 2_000) return undefined
  return { confidence, query: { expression }, summary: `I calculate ${expression.slice(0, 200)}.` }
}

function run(work: SkillRequest): SkillResponse {
  const { expression } = requireData(work, 'query.calculation')
  const text = typeof expression === 'string' ? expression : refuse('The query needs an `expression`.')
  const calculations = readCalculations(text)
  if (!calculations)
    return refuse(
      `I cannot read “${text.slice(0, 120)}” as a calculation. Write numbers with + − × ÷ ^ % and brackets, or words such as “15% of 240”.`,
    )
  const answers = calculations.map(answerCalculation)
  const lines = answers.flatMap((answer) => [`- ${answer.sentence}`, ...answer.details.map((detail) => `  - ${detail}`)])
  const method = 'Computed with exact integers and fractions. A value after ≈ is rounded.'
  return {
    outputs: [
      {
        name: 'result.md',
        media_type: 'text/markdown',
        artifact_type: 'number.result',
        text: `# Result\n\n${lines.join('\n')}\n\n${method}\n`,
      },
    ],
    text: joinAnswers(answers),
  }
}

export const calculationTool: Tool = { skill, readGoal, run }
