/** `format.regex`: tests a regular expression against texts, with an engine of linear time. */
import { RE2JS } from 're2js'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { isEnglish } from '../numbers/is-english.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { formatResponse, formatResultType } from './format-tool-ports.ts'
import { readRegexRequest } from './read-regex-request.ts'

const type = 'query.regex'
const maxPattern = 500
const maxText = 10_000
const maxMatches = 200

const skill: ToolSkill = {
  id: 'format.regex',
  name: 'Test a regular expression',
  description:
    'Tests a regular expression against texts: whether it matches each entirely, in part or not, with positions and groups. Or lists all matches in one text. Takes linear time; patterns with lookahead or back-references are refused.',
  inputs: [
    {
      name: 'query',
      type,
      description: 'The pattern and the texts.',
      optional: false,
      schema: {
        type: 'object',
        required: ['pattern', 'texts'],
        properties: {
          pattern: { type: 'string', minLength: 1, maxLength: maxPattern },
          flags: { type: 'string', maxLength: 3, description: 'Of i, m and s.' },
          action: { enum: ['test', 'find'], default: 'test' },
          texts: { type: 'array', items: { type: 'string', maxLength: maxText }, minItems: 1, maxItems: 50 },
        },
      },
    },
  ],
  outputs: [{ name: 'result', type: formatResultType, description: 'Each text with its matches.', optional: false }],
  price: '100000',
  tags: ['regex', 'regexp', 'regular expression', 'pattern', 'test', 'match'],
  samples: [{ title: 'A month', input: { pattern: '^\\d{4}-\\d{2}$', texts: ['2026-11', '26-11'] }, output: '- 26-11: no match' }],
}

function readGoal(goal: ToolGoal): ToolReading {
  if (goal.files.length > 0 || !isEnglish(goal.words)) return undefined
  const request = readRegexRequest(goal.text)
  if (!request) return undefined
  if (request.pattern.length > maxPattern)
    return { confidence: 0.7, question: `The pattern is longer than ${maxPattern} characters. Shorten it.` }
  return {
    confidence: 0.93,
    query: { ...request, texts: [...request.texts] },
    summary: request.action === 'find' ? `I list all matches of ${request.pattern}.` : `I test the pattern ${request.pattern}.`,
  }
}

/** @throws {SkillRefused} if the pattern is wrong, or needs backtracking */
function compile(pattern: string, flags: string): RE2JS {
  if (/\(\?<?[=!]/.test(pattern.replace(/\\./g, '')))
    return refuse(
      'The pattern looks ahead or behind with (?=, (?!, (?<= or (?<!, which my engine does not do. Write it without and ask again.',
    )
  if (/\\[1-9]|\\k</.test(pattern.replace(/\\\\/g, '')))
    return refuse('The pattern refers back to a group, such as \\1, which my engine does not do. Write it without and ask again.')
  const bits =
    (flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) |
    (flags.includes('m') ? RE2JS.MULTILINE : 0) |
    (flags.includes('s') ? RE2JS.DOTALL : 0)
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern), bits)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : ''
    return refuse(`The pattern is not valid: ${reason}. Correct it and ask again.`)
  }
}

type Match = { readonly text: string; readonly start: number; readonly end: number; readonly groups: readonly string[] }

function findMatches(pattern: RE2JS, text: string): Match[] {
  const matcher = pattern.matcher(text)
  const names = new Map(Object.entries(pattern.namedGroups()).map(([name, index]) => [index, name]))
  const matches: Match[] = []
  while (matches.length < maxMatches && matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() }, (_, index) => {
      const value = matcher.group(index + 1)
      return `${names.get(index + 1) ?? index + 1} = ${value === null || value === undefined ? 'nothing' : JSON.stringify(value)}`
    })
    matches.push({ text: matcher.group() ?? '', start: matcher.start(), end: matcher.end(), groups })
  }
  return matches
}

const withGroups = ({ groups }: Match): string => (groups.length > 0 ? `; groups: ${groups.join(', ')}` : '')
const placeOfMatch = ({ text, start, end }: Match): string =>
  text === ''
    ? `matches the empty text at character ${start + 1}`
    : `matches ${JSON.stringify(text)} at ${end - start === 1 ? `character ${end}` : `characters ${start + 1} to ${end}`}`

function describeTest(pattern: RE2JS, text: string): string {
  const matches = findMatches(pattern, text)
  const [first] = matches
  if (!first) return 'no match'
  const more = matches.length > 1 ? ` (${matches.length}${matches.length === maxMatches ? ' or more' : ''} matches; this is the first)` : ''
  // The first match need not be the longest, so the whole text is tried on its own.
  if (pattern.matches(text)) return `matches entirely${first.text === text ? withGroups(first) : ''}`
  return `${placeOfMatch(first)}, not the whole text${withGroups(first)}${more}`
}

function describeMatches(pattern: RE2JS, text: string): string {
  const matches = findMatches(pattern, text)
  if (matches.length === 0) return 'No matches.'
  const count = `${matches.length}${matches.length === maxMatches ? ' or more' : ''} ${matches.length === 1 ? 'match' : 'matches'}`
  return `${count}:\n${matches.map((match) => `- ${JSON.stringify(match.text)} (character ${match.start + 1})${withGroups(match)}`).join('\n')}`
}

function run(work: SkillRequest): SkillResponse {
  const { pattern, flags, action, texts } = requireData(work, type)
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > maxPattern)
    return refuse(`The query needs \`pattern\`: 1 to ${maxPattern} characters.`)
  const list = Array.isArray(texts) ? texts.filter((one): one is string => typeof one === 'string' && one.length <= maxText) : []
  if (list.length === 0 || list.length > 50) return refuse('The query needs `texts`: 1 to 50 texts of at most 10,000 characters.')
  const chosen = typeof flags === 'string' ? flags : ''
  const compiled = compile(pattern, chosen)
  const shown = chosen === '' ? pattern : `${pattern} (flags ${chosen})`
  const body =
    action === 'find'
      ? describeMatches(compiled, list.join('\n'))
      : list.map((text) => `- ${text.length > 100 ? `${text.slice(0, 100)}…` : text}: ${describeTest(compiled, text)}`).join('\n')
  return formatResponse('', { name: 'matches.txt', media_type: 'text/plain', text: `Pattern ${shown}\n${body}\n` })
}

export const regexTool: Tool = { skill, readGoal, run }
