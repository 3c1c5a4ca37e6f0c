/** `text.compare`: what differs between two texts. */
import { createTwoFilesPatch, diffLines, diffWordsWithSpace } from 'diff'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { readTextRequest, textPorts } from './text-request.ts'

const type = 'query.text_compare'
const maxLength = 400_000
const maxEdits = 20_000
const [query, document] = textPorts(type, 'Both texts, unless files have them.', {
  other: { type: 'string', maxLength: 20_000, description: 'The second text.' },
})
const skill: ToolSkill = {
  id: 'text.compare',
  name: 'Compare two texts',
  description: 'Shows what was removed from the first text and added in the second one, by words and by lines, as a unified diff.',
  inputs: [query, document, { name: 'other', type: 'document.text', description: 'The second file.', optional: true }].filter(
    (port) => port !== undefined,
  ),
  outputs: [{ name: 'difference', type: 'text.difference', description: 'A unified diff.', optional: false }],
  price: '150000',
  tags: ['diff', 'compare texts', 'difference', 'changes', 'versions'],
  samples: [
    { title: 'Two sentences', input: { text: 'The cat sat.', other: 'The dog sat.' }, output: '1 word removed and 1 added: −cat; +dog.' },
  ],
}

const pattern =
  /^(?:(?:compare|diff)(?: and (?:list|show|tell)(?: me)?(?: all)? the (?:differences|changes))?|(?:(?:show|find|list|tell|give|highlight|spot|determine|what(?:'s| is| are| has))(?: me)?(?: all)? )?(?:the )?(?:difference|differences|diff|changes|changed|different)(?: between)?(?: and)?|(?:do|does|are|is) (?:they )?(?:differ|the same|identical|different|equal)|what changed)(?: (?:and|with|to|vs|versus))?$/

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  const [sentence = ''] = request?.asked ?? []
  if (request?.asked.length !== 1 || !pattern.test(sentence.replace(/\s+(?:and|with|to|vs|versus)(?:\s+and)*$/, '').trim()))
    return undefined
  const files = goal.files.filter((file) => file.type === 'document.text')
  const summary = 'I list what was removed from the first text and what was added in the second one.'
  const [text, other] = request.quotations
  // "What is the difference between “affect” and “effect”?" asks for their meaning.
  if (/^what|^(?:tell|explain)/.test(sentence) && request.quotations.some((one) => one.split(/\s+/).length < 4)) return undefined
  if (request.quotations.length === 2 && text !== undefined && other !== undefined)
    return text.length + other.length > 20_000
      ? { confidence: 0.7, question: 'The quoted texts are long. Attach them as two text files.' }
      : { confidence: 0.9, query: { text, other }, summary }
  if (request.quotations.length === 0 && files.length === 2) return { confidence: 0.9, query: {}, summary }
  return { confidence: 0.7, question: 'Which two texts are compared? Put each in quotation marks, or attach two text files.' }
}

function run(work: SkillRequest): SkillResponse {
  const { text, other } = requireData(work, type)
  const files = work.inputs.filter((input) => input.type === 'document.text').map((input) => input.text ?? '')
  const [first = '', second = ''] = typeof text === 'string' && typeof other === 'string' ? [text, other] : files
  if (first === '' && second === '') return refuse('Two texts are needed, in the query or as two text files.')
  if (first.length > maxLength || second.length > maxLength)
    return refuse(`Each text may have ${maxLength.toLocaleString('en-US')} characters.`)
  const [a, b] = [normalise(first), normalise(second)]
  if (a === b) return answer('The texts are identical.', a, b)
  const words = diffWordsWithSpace(a, b, { maxEditLength: maxEdits, timeout: 5_000 })
  if (!words) {
    const lines = diffLines(a, b, { maxEditLength: maxEdits, timeout: 5_000 })
    if (!lines) return refuse('The texts differ too much to compare them.')
    return answer(`${countOf(lines, 'removed')} lines removed and ${countOf(lines, 'added')} added.`, a, b)
  }
  const removed = words.filter((part) => part.removed && part.value.trim() !== '').map((part) => part.value.trim())
  const added = words.filter((part) => part.added && part.value.trim() !== '').map((part) => part.value.trim())
  const count = (parts: readonly string[]) => parts.reduce((sum, part) => sum + part.split(/\s+/).length, 0)
  const [less, more] = [count(removed), count(added)]
  if (less + more === 0) return answer('The texts differ in white space only.', a, b)
  const shown = [...removed.map((part) => `−${part}`), ...added.map((part) => `+${part}`)].join('; ')
  return answer(`${less} ${less === 1 ? 'word' : 'words'} removed and ${more} added${shown.length <= 300 ? `: ${shown}` : ''}.`, a, b)
}

const normalise = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')

const countOf = (
  parts: readonly { readonly count?: number; readonly added?: boolean; readonly removed?: boolean }[],
  kind: 'added' | 'removed',
): number => parts.filter((part) => part[kind]).reduce((sum, part) => sum + (part.count ?? 0), 0)

function answer(sentence: string, a: string, b: string): SkillResponse {
  const patch = createTwoFilesPatch('first', 'second', a, b, undefined, undefined, { context: 3, maxEditLength: maxEdits, timeout: 5_000 })
  return {
    outputs: [
      { name: 'difference.diff', media_type: 'text/plain', artifact_type: 'text.difference', text: `${sentence}\n\n${patch ?? ''}` },
    ],
    text: sentence,
  }
}

export const textCompareTool: Tool = { skill, readGoal, run }
