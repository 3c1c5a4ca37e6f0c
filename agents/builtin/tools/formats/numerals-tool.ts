/** `format.numerals`: Roman numerals, numbers as English words, and numbers in other bases. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { isAnswerLanguage } from '../answer-translation/answer-languages.ts'
import { isEnglish } from '../numbers/is-english.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { formatResponse, formatResultType } from './format-tool-ports.ts'
import { readNumeralRequest } from './read-numeral-request.ts'
import { currencies, maxSpelledDigits, spellAmount, spellDecimal, spellOrdinal } from './spell-number-in-english.ts'
import { spellNumberInLanguage } from './spell-number-in-language.ts'
import { fromRoman, largestRoman, toRoman } from './to-and-from-roman.ts'

const type = 'query.numerals'
const actions = ['to_roman', 'from_roman', 'to_words', 'to_ordinal', 'from_words', 'base'] as const
const maxNumbers = 201

const skill: ToolSkill = {
  id: 'format.numerals',
  name: 'Write numbers in another notation',
  description:
    'Converts Roman numerals both ways, writes numbers and amounts of money as words in English, German, French, Spanish or Chinese, and converts integers between the bases 2 to 36, such as binary, octal, decimal and hexadecimal.',
  inputs: [
    {
      name: 'query',
      type,
      description: 'The numbers and the notation.',
      optional: false,
      schema: {
        type: 'object',
        required: ['numbers', 'action'],
        properties: {
          numbers: { type: 'array', items: { type: 'string', maxLength: 400 }, minItems: 1, maxItems: maxNumbers },
          action: { enum: [...actions] },
          currency: { enum: Object.keys(currencies), description: 'For `to_words`.' },
          from: { type: 'integer', minimum: 2, maximum: 36, default: 10, description: 'For `base`.' },
          to: { type: 'array', items: { type: 'integer', minimum: 2, maximum: 36 }, minItems: 1, description: 'For `base`.' },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: formatResultType, description: 'Each number with its other notation.', optional: false }],
  price: '100000',
  tags: ['roman numerals', 'number to words', 'ordinal', 'binary', 'octal', 'hexadecimal', 'base'],
  samples: [{ title: 'A year', input: { numbers: ['1994'], action: 'to_roman' }, output: '1994 = MCMXCIV' }],
}

function readGoal(goal: ToolGoal): ToolReading {
  if (goal.files.length > 0 || !isEnglish(goal.text)) return undefined
  const request = readNumeralRequest(goal.text)
  if (!request) return undefined
  return {
    confidence: 0.9,
    query: { ...request } as never,
    summary: `I write in another notation: ${request.numbers.slice(0, 5).join(', ')}.`,
  }
}

function describeRoman(text: string): string {
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < 1 || value > largestRoman)
    return refuse(`Roman numerals go from 1 to ${largestRoman.toLocaleString('en-US')}. ${text} has none.`)
  return `${text} = ${toRoman(value)}`
}

function describeArabic(text: string): string {
  const read = fromRoman(text) ?? refuse(`${text} is no Roman numeral. Its letters are in an order that has no value.`)
  const note = read.isModern ? '' : ` (the usual form is ${read.value <= largestRoman ? toRoman(read.value) : 'not defined above 3,999'})`
  return `${text.toUpperCase()} = ${read.value}${note}`
}

const checkLength = (text: string): string =>
  text.replace(/\D.*$/, '').length > maxSpelledDigits ? refuse(`I spell numbers of at most ${maxSpelledDigits} digits.`) : text

const digitsOfBase = '0123456789abcdefghijklmnopqrstuvwxyz'
const baseNames: { readonly [base: number]: string } = { 2: 'binary', 8: 'octal', 10: 'decimal', 16: 'hexadecimal' }
const nameOfBase = (base: number): string => baseNames[base] ?? `base ${base}`

function parseInBase(text: string, base: number): bigint {
  const plain = text.toLowerCase().replace(/^([-−]?)0[xbo](?=[\da-f])/, (all, sign: string) => (base === 16 && /0b/.test(all) ? all : sign))
  const sign = /^[-−]/.test(plain) ? -1n : 1n
  let value = 0n
  for (const letter of plain.replace(/^[-−]/, '')) {
    const digit = digitsOfBase.indexOf(letter)
    if (digit < 0 || digit >= base) return refuse(`${text} is no ${nameOfBase(base)} number: it has the digit ${letter}.`)
    value = value * BigInt(base) + BigInt(digit)
  }
  return sign * value
}

/** Known bases only, so that a query cannot ask for another. */
const isBase = (base: unknown): base is number => typeof base === 'number' && Number.isInteger(base) && base >= 2 && base <= 36

function describeInBases(text: string, from: number, to: readonly number[]): string {
  const value = parseInBase(text, from)
  const results = to.map((base) => `${value.toString(base).toUpperCase()} (${nameOfBase(base)})`)
  return `${text} (${nameOfBase(from)}) = ${results.join(' = ')}`
}

function run(work: SkillRequest): SkillResponse {
  const { numbers, action, currency, from, to, answer_language } = requireData(work, type)
  const language = isAnswerLanguage(answer_language) ? answer_language : undefined
  const texts = Array.isArray(numbers) ? numbers.filter((one): one is string => typeof one === 'string' && one.length <= 400) : []
  const chosen = actions.find((one) => one === action)
  if (texts.length === 0 || texts.length > maxNumbers || !chosen)
    return refuse(`The query needs \`numbers\`, and \`action\`: one of ${actions.join(', ')}.`)
  const money = typeof currency === 'string' && Object.hasOwn(currencies, currency) ? currencies[currency] : undefined
  const bases = Array.isArray(to) ? to.filter(isBase) : []
  if (chosen === 'base' && bases.length === 0) return refuse('The query needs `to`: bases from 2 to 36.')
  const describe = (text: string): string => {
    if (chosen === 'to_roman') return describeRoman(text)
    if (chosen === 'from_roman') return describeArabic(text)
    if (chosen === 'base') return describeInBases(text, isBase(from) ? from : 10, bases)
    if (chosen === 'from_words') return BigInt(text).toLocaleString('en-US')
    if (!/^[-−]?\d+(?:\.\d+)?$/.test(checkLength(text.replace(/^[-−]/, ''))))
      return refuse(`${text} is no number that I can spell, such as 1234.5.`)
    if (chosen === 'to_ordinal')
      return /^\d+$/.test(text) ? `${text} = ${spellOrdinal(text)}` : refuse('Only whole numbers have an ordinal.')
    const local = language && spellNumberInLanguage(text, language, money && String(currency))
    return `${text} = ${local ?? (money ? spellAmount(text, money) : spellDecimal(text))}`
  }
  return formatResponse('', { name: 'numbers.txt', media_type: 'text/plain', text: `${texts.map(describe).join('\n')}\n` })
}

export const numeralsTool: Tool = { skill, readGoal, run }
