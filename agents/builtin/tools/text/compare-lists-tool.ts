/** `text.lists`: what two named lists have in common, or what one has and the other does not. */

import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { stemWord } from '../../stem-word.ts'
import { isEnglish } from '../numbers/is-english.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'

const type = 'query.text_lists'
const relations = ['only_first', 'both'] as const
type Relation = (typeof relations)[number]
const maxItems = 500
const list = { type: 'array', items: { type: 'string', maxLength: 200 }, minItems: 1, maxItems }
const name = { type: 'string', minLength: 1, maxLength: 60 }

const skill: ToolSkill = {
  id: 'text.lists',
  name: 'Compare two named lists',
  description: 'Lists what stands in one of two named lists and not in the other, or in both. Small and capital letters are the same.',
  inputs: [
    {
      name: 'query',
      type,
      description: 'Both lists with their names, and what is asked.',
      optional: false,
      schema: {
        type: 'object',
        required: ['first', 'second', 'first_items', 'second_items', 'relation'],
        properties: { first: name, second: name, first_items: list, second_items: list, relation: { enum: [...relations] } },
      },
    },
  ],
  outputs: [{ name: 'items', type: 'text.lists', description: 'The items, one a line.', optional: false }],
  price: '100000',
  tags: ['lists', 'missing', 'difference', 'in both', 'in common', 'not in'],
  samples: [
    {
      title: 'Guests',
      input: { first: 'Invited', second: 'Replied', first_items: ['Emma', 'Liam'], second_items: ['Emma'], relation: 'only_first' },
      output: 'Invited, but not replied: Liam (1 of 2).',
    },
  ],
}

type NamedList = { readonly name: string; readonly items: readonly string[] }

const named = /(?:^|[\n/]|[.?!]\s)[ \t]*([\p{L}][\p{L}\d -]{0,40}):[ \t]*([^\n/:]+?)(?=\s*(?:[\n/]|$))/gu
const fillers = new Set(
  (
    "who which what whos who's is are was were be been but and also has have had not yet so far still the a an in on of from to at both lists list names name people guests ones items things that them those " +
    "did do does didn't hasn't haven't isn't aren't wasn't weren't only never nobody tell me show give find please common appears appear stand stands missing without"
  ).split(' '),
)
const negation = /\b(?:not|never|missing from|without|hasn't|haven't|isn't|aren't|wasn't|weren't|didn't|did not)\b/

/** Commas, semicolons or “and” between items. */
const itemsOf = (text: string): string[] =>
  text
    .split(/\s*[,;]\s*(?:and\s+)?|\s+and\s+/)
    .map((item) => item.replace(/(?<![.\s])[.\s]+$/, '').trim())
    .filter((item) => item !== '')

function readLists(text: string): { readonly question: string; readonly lists: readonly NamedList[] } | undefined {
  const found = [...text.matchAll(named)]
  const [first] = found
  const lists = found.map(([, label = '', items = '']): NamedList => ({ name: label.trim(), items: itemsOf(items) }))
  const isSound = lists.length === 2 && lists.every(({ items }) => items.length > 0 && items.length <= maxItems)
  return first && isSound ? { question: text.slice(0, first.index + 1).trim(), lists } : undefined
}

const stemsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}']+/gu) ?? []).map(stemWord)

/** Where the name of a list stands among the words of the question. */
function placeOf({ name: label }: NamedList, words: readonly string[]): number {
  const parts = stemsOf(label)
  return words.findIndex((_, at) => parts.every((part, index) => words[at + index] === part))
}

function readGoal({ text, words, files, quotations }: ToolGoal): ToolReading {
  if (files.length > 0 || quotations.length > 1 || text.length > 8_000 || !isEnglish(words)) return undefined
  const read = readLists(text.replace(/\r\n?/g, '\n'))
  if (!read) return undefined
  const question = read.question.toLowerCase().replace(/’/g, "'")
  const stems = stemsOf(question)
  const [a, b] = read.lists
  const [placeA, placeB] = [a ? placeOf(a, stems) : -1, b ? placeOf(b, stems) : -1]
  if (!a || !b || placeA < 0 || placeB < 0 || placeA === placeB) return undefined
  const [first, second, start, end] = placeA < placeB ? [a, b, placeA, placeB] : [b, a, placeB, placeA]
  const labels = new Set([...stemsOf(a.name), ...stemsOf(b.name)])
  const known = new Set([...fillers].map(stemWord))
  if (stems.some((stem) => !labels.has(stem) && !known.has(stem))) return undefined
  const between = (question.match(/[\p{L}']+/gu) ?? []).slice(start, end).join(' ')
  const before = (question.match(/[\p{L}']+/gu) ?? []).slice(0, start).join(' ')
  // “Who has not replied but was invited” begins with the other list.
  if (negation.test(before)) return undefined
  const relation: Relation | undefined = negation.test(between) ? 'only_first' : /\band\b/.test(between) ? 'both' : undefined
  if (!relation) return undefined
  const query = { first: first.name, second: second.name, first_items: [...first.items], second_items: [...second.items], relation }
  const what = relation === 'both' ? 'in both' : `in “${first.name}” and not in “${second.name}”`
  return {
    confidence: 0.92,
    query,
    summary: `I list what stands ${relation === 'both' ? `${what} “${first.name}” and “${second.name}”` : what}.`,
  }
}

const keyOf = (item: string): string => item.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string' && one.trim() !== '').slice(0, maxItems) : []

/** Each item once, in the order of the first list. */
function run(work: SkillRequest): SkillResponse {
  const query = requireData(work, type)
  const [first, second] = [textsOf(query.first_items), textsOf(query.second_items)]
  if (first.length === 0 || second.length === 0 || typeof query.first !== 'string' || typeof query.second !== 'string')
    return refuse('The query needs two lists, each with a name.')
  const others = new Set(second.map(keyOf))
  const unique = [...new Map(first.map((item) => [keyOf(item), item] as const))]
  const isBoth = query.relation === 'both'
  const found = unique.filter(([key]) => others.has(key) === isBoth).map(([, item]) => item)
  const head = isBoth ? `In both “${query.first}” and “${query.second}”` : `${query.first}, but not ${query.second.toLowerCase()}`
  const sentence = `${head}: ${found.length === 0 ? 'none' : found.join(', ')} (${found.length} of ${unique.length}).`
  return {
    outputs: [{ name: 'items.txt', media_type: 'text/plain', artifact_type: 'text.lists', text: `${found.join('\n')}\n` }],
    text: sentence.length <= 800 ? sentence : `${head}: ${found.length} of ${unique.length}. The file has them.`,
  }
}

export const compareListsTool: Tool = { skill, readGoal, run }
