/** `number.scale`: scales the amounts of a recipe or another list. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { asksForOtherWork } from './asks-for-other-work.ts'
import { isEnglish } from './is-english.ts'
import { formatFixed, formatRational, fractionDigits, hasFiniteDecimal, multiply, type Rational } from './rational.ts'
import { readScaling, type ScaledLine, type Scaling } from './read-scaling.ts'
import { splitSentences } from './split-sentences.ts'

const skill: ToolSkill = {
  id: 'number.scale',
  name: 'Scale a recipe',
  description: 'Scales the amounts of a recipe or another list to a number of portions, or by a factor such as double or half.',
  inputs: [
    {
      name: 'query',
      type: 'query.scaling',
      description: 'The amounts and the portions.',
      optional: false,
      schema: {
        type: 'object',
        required: ['list'],
        properties: {
          list: {
            type: 'string',
            minLength: 1,
            maxLength: 3_000,
            description: 'Such as `For 4 people: 350 g flour, 2 eggs. I need it for 10 people.`',
          },
        },
      },
    },
  ],
  outputs: [{ name: 'list', type: 'amounts.scaled', description: 'The scaled list, as Markdown.', optional: false }],
  price: '100000',
  tags: ['scale', 'recipe', 'portions', 'servings', 'ingredients', 'double', 'half'],
  samples: [
    {
      title: 'A recipe',
      input: { list: 'Recipe for 4 people: 350 g flour, 2 eggs, 120 ml milk. I need it for 10 people.' },
      output: 'For 10 instead of 4 (× 2.5): 875 g flour, 5 eggs, 300 ml milk.',
    },
  ],
}

/** `1 1/4` for fractions of the kitchen, else a decimal; ≈ before a rounded one. */
function writeAmount(value: Rational, isFraction: boolean): string {
  const isSmall = value.d <= 16n && value.n < 20n * value.d
  if (value.d === 1n) return formatRational(value)
  if (isSmall && (isFraction || !hasFiniteDecimal(value))) {
    const whole = value.n / value.d
    return `${whole > 0n ? `${whole} ` : ''}${value.n - whole * value.d}/${value.d}`
  }
  return hasFiniteDecimal(value) && fractionDigits(value) <= 3 ? formatRational(value) : `≈ ${formatFixed(value, 2)}`
}

function writeLine({ before, amounts, after, isFraction }: ScaledLine, { factor }: Scaling): string {
  const scaled = amounts.map((amount) => writeAmount(multiply(amount, factor), isFraction)).join(' to ')
  return [before, scaled, after].filter((part) => part !== '').join(' ')
}

function readGoal(goal: ToolGoal): ToolReading {
  if (!isEnglish(goal.text) || goal.files.length > 0 || splitSentences(goal.text).some(asksForOtherWork)) return undefined
  const text = goal.text.trim()
  const read = readScaling(text)
  if (!read) return undefined
  if ('question' in read) return { confidence: 0.85, question: read.question }
  const { portions, factor, lines } = read.scaling
  return {
    confidence: 0.95,
    query: { list: text },
    summary: `I scale ${lines.length} ${lines.length === 1 ? 'amount' : 'amounts'} by ${formatRational(factor)}${portions === '' ? '' : `, for ${portions}`}.`,
  }
}

function run(work: SkillRequest): SkillResponse {
  const { list } = requireData(work, 'query.scaling')
  const text = typeof list === 'string' ? list : refuse('The query needs a `list`.')
  const read = readScaling(text)
  if (!read)
    return refuse(
      `I cannot read “${text.slice(0, 120)}” as a list to scale. Write such as “For 4 people: 350 g flour, 2 eggs. I need it for 10 people.”`,
    )
  if ('question' in read) return refuse(read.question)
  const { scaling } = read
  const lines = scaling.lines.map((line) => writeLine(line, scaling))
  const factor = writeAmount(scaling.factor, false)
  const head = scaling.portions === '' ? `× ${factor}` : `For ${scaling.portions} (× ${factor})`
  const isLeft = scaling.lines.some(({ amounts }) => amounts.length === 0)
  const note = isLeft ? ' What has no amount stays as it is.' : ''
  const answer = `${head}: ${lines.join(', ')}.${note}`
  const body = `# Scaled amounts\n\n${head}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\nComputed exactly. An amount after ≈ is rounded.${note}\n`
  return {
    outputs: [{ name: 'amounts.md', media_type: 'text/markdown', artifact_type: 'amounts.scaled', text: body }],
    text: answer.length <= 500 ? answer : `${head}: the file has all ${lines.length} amounts.`,
  }
}

export const scaleRecipeTool: Tool = { skill, readGoal, run }
