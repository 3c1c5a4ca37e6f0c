/** `format.colour`: converts colours between notations and judges the contrast of two. */
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { isEnglish } from '../numbers/is-english.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import {
  type Colour,
  type ColourSpace,
  colourSpaces,
  contrastRatio,
  nameOfColour,
  parseColour,
  readColours,
  roundColour,
  writeColour,
} from './colours.ts'
import { formatResponse, formatResultType } from './format-tool-ports.ts'
import { hasRole, type Lexicon, readWordRoles } from './read-word-roles.ts'

const type = 'query.colour'
const maxColours = 12

const skill: ToolSkill = {
  id: 'format.colour',
  name: 'Convert colours and judge their contrast',
  description:
    'Converts colours between hex, RGB, HSL, HSV, CMYK and the names of CSS. Computes the contrast ratio of two colours and says which levels of WCAG 2 it meets.',
  inputs: [
    {
      name: 'query',
      type,
      description: 'The colours and what is wanted.',
      optional: false,
      schema: {
        type: 'object',
        required: ['colours'],
        properties: {
          colours: {
            type: 'array',
            items: { type: 'string', maxLength: 60 },
            minItems: 1,
            maxItems: maxColours,
            description: 'Such as `#3a7bd5`.',
          },
          action: { enum: ['convert', 'contrast', 'complement'], default: 'convert' },
          spaces: { type: 'array', items: { enum: [...colourSpaces] }, description: 'The notations; without it hex, rgb and hsl.' },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: formatResultType, description: 'The colours in each notation, or the contrast.', optional: false }],
  price: '100000',
  tags: ['colour', 'color', 'hex', 'rgb', 'hsl', 'cmyk', 'contrast', 'wcag', 'accessibility'],
  samples: [{ title: 'A colour', input: { colours: ['#3a7bd5'] }, output: '#3a7bd5 = rgb(58, 123, 213) = hsl(215, 65%, 53%)' }],
}

type Role = 'colour' | 'space' | 'hex' | 'css' | 'contrast' | 'text' | 'convert' | 'complement' | 'code' | 'ask'
const lexicon: Lexicon<Role> = {
  colour:
    'brand logo website theme main primary colour color colours colors colour/color shade hue value values equivalent version notation',
  space: 'rgb hsl hsv hsb cmyk rgba hsla',
  hex: 'hex hexadecimal hexcode',
  css: 'css html web',
  contrast:
    'contrast wcag accessible accessibility readable legible aa aaa ratio pass passes enough sufficient meet meets a11y compliant good ok okay',
  text: 'text background bg foreground button against white-text on over link links font level levels check test calculate compute between vs versus standard standards guidelines requirements',
  convert: 'convert conversion change translate transform converter',
  complement: 'complementary complement opposite',
  code: 'code codes format formats name called named',
  ask: 'what whats which how',
}

function spacesOf(words: readonly { readonly word: string; readonly role: Role }[]): ColourSpace[] {
  const named = words.flatMap(({ role, word }): ColourSpace[] =>
    role === 'hex' ? ['hex'] : role === 'space' ? [word === 'hsb' ? 'hsv' : (word.replace(/a$/, '') as ColourSpace)] : [],
  )
  return [...new Set(named)]
}

function readGoal(goal: ToolGoal): ToolReading {
  const text = goal.text.replace(/["“”`«»]|(?<!\w)'|'(?!\w)/g, ' ')
  if (text.length > 600 || goal.files.length > 0 || !isEnglish(goal.words)) return undefined
  const { colours, words, fault } = readColours(text)
  // "Can you" and "how do I" ask for the colour, not for a lesson.
  const roles = readWordRoles(words.replace(/\bhow (?:do|would|can) (?:i|you|we)\b.{0,20}\b(?:write|say|express|convert)\b/i, ' '), lexicon)
  if (!roles) return undefined
  const has = (role: Role) => hasRole(roles, role)
  const isMarked = colours.some(({ written }) => /^(?:#|rgb|hsl|hsv|cmyk)/.test(written)) || has('space') || has('hex')
  if (fault !== undefined && (isMarked || has('colour'))) return { confidence: 0.7, question: fault }
  const written = colours.map((colour) => colour.written)
  const isContrast = roles.some(({ word }) => /^(?:contrast|wcag|access|readable|legible|aaa?$|a11y)/.test(word))
  if (isContrast && written.length === 0 && !has('colour')) return undefined
  if (isContrast) return readContrast(written, spacesOf(roles), has('complement'))
  if (colours.length === 0 || colours.length > maxColours || has('contrast') || has('text')) return undefined
  if (!isMarked && !has('complement') && !(has('colour') && (has('code') || has('ask')))) return undefined
  const spaces = spacesOf(roles)
  // The notation of the only colour is the source, so another is the target.
  const query = {
    colours: written,
    ...(has('complement') ? { action: 'complement' } : { action: 'convert' }),
    ...(spaces.length > 0 && { spaces }),
  }
  return {
    confidence: 0.93,
    query,
    summary: has('complement') ? `I find the complement of ${written.join(', ')}.` : `I convert ${written.join(', ')}.`,
  }
}

function readContrast(colours: readonly string[], spaces: readonly ColourSpace[], isMore: boolean): ToolReading {
  if (isMore || colours.length > 2) return undefined
  if (colours.length < 2) return { confidence: 0.7, question: 'Of which two colours? Name both, such as #333333 on #ffffff.' }
  return {
    confidence: 0.93,
    query: { colours: [...colours], action: 'contrast', ...(spaces.length > 0 && { spaces: [...spaces] }) },
    summary: `I compute the contrast of ${colours.join(' and ')}${spaces.length > 0 ? ', and convert them' : ''}.`,
  }
}

function describeContrast(a: Colour, b: Colour): string {
  if (a.alpha !== 1 || b.alpha !== 1)
    return refuse('The contrast of a transparent colour depends on what is behind it. Name two opaque colours.')
  const ratio = contrastRatio(a, b)
  // Rounded down, so that 4.499 does not look as if it passed.
  const shown = (Math.floor(ratio * 100 + 1e-9) / 100).toFixed(2)
  const verdict = (minRatio: number) => (ratio >= minRatio ? 'passes' : 'fails')
  const name = (colour: Colour) => (colour.written.startsWith('#') ? colour.written : `${colour.written} (${writeColour(colour, 'hex')})`)
  return [
    `Contrast of ${name(a)} and ${name(b)}: ${shown}:1.`,
    `WCAG 2.2 level AA: ${verdict(4.5)} for normal text (4.5:1), ${verdict(3)} for large text and for controls (3:1).`,
    `Level AAA: ${verdict(7)} for normal text (7:1), ${verdict(4.5)} for large text (4.5:1).`,
  ].join('\n')
}

function describeColour(colour: Colour, spaces: readonly ColourSpace[]): string {
  const name = nameOfColour(colour)
  const asked = spaces.length > 0 ? spaces : (['hex', 'rgb', 'hsl'] as const)
  const parts = asked.map((space) => writeColour(colour, space)).filter((text) => text !== colour.written)
  const named = name !== undefined && name !== colour.written ? ` In CSS its name is ${name}.` : ''
  const note = asked.includes('cmyk') ? ' CMYK is computed without a colour profile; a print shop may get other values.' : ''
  return `${[colour.written, ...parts].join(' = ')}.${named}${note}`
}

/** The colour on the other side of the colour wheel. */
function complementOf(colour: Colour): Colour {
  const { red, green, blue, alpha } = roundColour(colour)
  const sum = Math.max(red, green, blue) + Math.min(red, green, blue)
  const opposite = { red: sum - red, green: sum - green, blue: sum - blue, alpha, written: '' }
  return { ...opposite, written: writeColour(opposite, 'hex') }
}

function run(work: SkillRequest): SkillResponse {
  const { colours, action, spaces } = requireData(work, type)
  const written = Array.isArray(colours) ? colours.filter((one): one is string => typeof one === 'string') : []
  if (written.length === 0 || written.length > maxColours)
    return refuse(`The query needs \`colours\`: 1 to ${maxColours}, such as #3a7bd5.`)
  const parsed = written.map(
    (one) => parseColour(one) ?? refuse(`${one} is no colour. Write it such as #3a7bd5, rgb(58, 123, 213) or hsl(215, 65%, 53%).`),
  )
  const asked = Array.isArray(spaces) ? colourSpaces.filter((space) => spaces.includes(space)) : []
  const [first, second] = parsed
  const file = (text: string) => ({ name: 'colours.txt', media_type: 'text/plain', text: `${text}\n` })
  if (action === 'contrast') {
    if (!first || !second || parsed.length !== 2) return refuse('A contrast needs exactly two colours.')
    const converted = asked.length > 0 ? parsed.map((colour) => describeColour(colour, asked)) : []
    return formatResponse('', file([describeContrast(first, second), ...converted].join('\n')))
  }
  const lines =
    action === 'complement'
      ? parsed.map((colour) => `The complement of ${colour.written} is ${describeColour(complementOf(colour), asked)}`)
      : parsed.map((colour) => describeColour(colour, asked))
  return formatResponse('', file(lines.join('\n')))
}

export const colourTool: Tool = { skill, readGoal, run }
