/** `number.formulas`: fuel, travel, shapes, pay, electricity and body mass by everyday formulas. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { type AnswerLanguage, answerLanguages, isAnswerLanguage } from '../answer-translation/answer-languages.ts'
import { writeLocalNumbers } from '../answer-translation/write-local-number.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import type { FormulaLine } from './formulas/everyday-formulas.ts'
import { formulaLabel, resultHeading, roundingNote } from './formulas/formula-labels.ts'
import { readEverydayFormula, writeFormulaProblem } from './formulas/read-everyday-formula.ts'
import { isEnglish } from './is-english.ts'
import {
  floorOf,
  formatFixed,
  formatRational,
  fractionDigits,
  hasFiniteDecimal,
  multiply,
  type Rational,
  rational,
  roundToDigits,
  roundToInteger,
} from './rational.ts'

const skill: ToolSkill = {
  id: 'number.formulas',
  name: 'Everyday formulas',
  description:
    'Fuel for a trip and its cost, travel time, speed and pace, area and volume of shapes, pay per hour, month and year, electricity cost, body mass index.',
  inputs: [
    {
      name: 'query',
      type: 'query.formula',
      description: 'What to compute, with all measures.',
      optional: false,
      schema: {
        type: 'object',
        required: ['problem'],
        properties: {
          problem: {
            type: 'string',
            minLength: 1,
            maxLength: 600,
            description: 'Such as `Fuel for 420 km at 7.2 L/100 km and 1.79 € per litre` or `Travel time: 330 km at 110 km/h`.',
          },
          answer_language: { enum: [...answerLanguages], description: 'Of the answer; English, if left out.' },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: 'number.result', description: 'The result with the formula, as Markdown.', optional: false }],
  price: '100000',
  tags: [
    'fuel',
    'consumption',
    'travel time',
    'speed',
    'pace',
    'area',
    'perimeter',
    'volume',
    'circle',
    'salary',
    'hourly wage',
    'electricity',
    'bmi',
  ],
  samples: [
    {
      title: 'Fuel for a trip',
      input: { problem: 'Fuel for 420 km at 7.2 L/100 km and 1.79 € per litre' },
      output: 'Fuel: 420 km × 7.2 L/100 km = 30.24 L. Cost: 30.24 L × 1.79 € ≈ 54.13 €.',
    },
  ],
}

function readGoal(goal: ToolGoal): ToolReading {
  if (goal.files.length > 0 || !isEnglish(goal.text)) return undefined
  const problem = readEverydayFormula(goal.text, 'en')
  if (!problem) return undefined
  const text = writeFormulaProblem(problem)
  return { confidence: 0.9, query: { problem: text }, summary: `I calculate by a formula: ${text}.` }
}

/** `= 30.24`, or `≈ 54.13` if it is rounded. */
function writeResult({ value, form }: FormulaLine): string {
  if (form === 'hours' || form === 'pace') return writeMinutes(value, form)
  const digits = form === 'money' ? 2 : 4
  const isExact = hasFiniteDecimal(value) && fractionDigits(value) <= digits
  if (form === 'money') return `${isExact ? '=' : '≈'} ${formatFixed(value, 2)}`
  return isExact ? `= ${formatRational(value)}` : `≈ ${formatFixed(value, value.n < value.d ? 4 : 2)}`
}

/** Hours as `3 h 45 min`, minutes as `5:12`. */
function writeMinutes(value: Rational, form: 'hours' | 'pace'): string {
  const small = multiply(value, rational(60n))
  const [rounded, whole] = [roundToInteger(small), floorOf(small)]
  const sign = rational(rounded).n === small.n && small.d === 1n ? '=' : '≈'
  const [large, rest] = [rounded / 60n, rounded % 60n]
  if (form === 'pace') return `${sign} ${large}:${String(rest).padStart(2, '0')}`
  if (whole < 60n && large === 0n) return `${sign} ${rest} min`
  return `${sign} ${large} h${rest === 0n ? '' : ` ${rest} min`}`
}

const isRational = (part: FormulaLine['left'][number]): part is Rational => typeof part === 'object' && 'n' in part

function writeLeft(left: FormulaLine['left']): string {
  const parts = left.map((part) => {
    if (typeof part === 'string') return part
    if (isRational(part))
      return hasFiniteDecimal(part) && fractionDigits(part) <= 6 ? formatRational(part) : formatRational(roundToDigits(part, 4))
    return `${formatRational(part.value)}${part.symbol === '' ? '' : ` ${part.symbol}`}`
  })
  return parts
    .join(' ')
    .replace(/\( /g, '(')
    .replace(/ (?=\)|²)/g, '')
}

function writeLine(line: FormulaLine, language: AnswerLanguage | 'en'): string {
  const unit = line.unit === '' || line.form === 'hours' ? '' : ` ${line.unit}`
  const equation = `${writeLeft(line.left)} ${writeResult(line)}${unit}`
  const local = language === 'en' ? equation : writeLocalNumbers(equation, language)
  return `${formulaLabel(line.label, language)}: ${local}`
}

function run(work: SkillRequest): SkillResponse {
  const { problem, answer_language } = requireData(work, 'query.formula')
  const language = isAnswerLanguage(answer_language) ? answer_language : 'en'
  const text = typeof problem === 'string' ? problem : refuse('The query needs a `problem`.')
  const read = readEverydayFormula(text, 'en')
  if (!read)
    return refuse(
      `I cannot read “${text.slice(0, 120)}” as a formula with all of its measures. Write such as “Travel time: 330 km at 110 km/h”.`,
    )
  const lines = read.formula.solve(read.measures).map((line) => writeLine(line, language))
  const note = lines.some((line) => line.includes('≈')) ? `\n${roundingNote(language)}\n` : ''
  const body = `# ${resultHeading(language)}\n\n${lines.map((line) => `- ${line}.`).join('\n')}\n${note}`
  return {
    outputs: [{ name: 'result.md', media_type: 'text/markdown', artifact_type: 'number.result', text: body }],
    text: lines.map((line) => `${line}.`).join(' '),
  }
}

export const everydayFormulasTool: Tool = { skill, readGoal, run, answersInLanguages: true }
