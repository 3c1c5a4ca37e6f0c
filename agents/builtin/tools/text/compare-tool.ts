/** `text.compare`: what differs between two texts. */
import { createTwoFilesPatch, diffLines, diffWordsWithSpace } from 'diff'
import { refuse, requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import { correctTypingErrors } from '../correct-typing-errors.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { describeChanges } from './describe-changes.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases } from './scan-phrases.ts'
import { readTextRequest, textPorts } from './text-request.ts'

const type = 'query.text_compare'
const maxLength = 400_000
const maxEdits = 20_000
const [query, document] = textPorts(type, 'Both texts, unless files have them.', {
  other: { type: 'string', maxLength: 20_000, description: 'The second text.' },
  by: { enum: ['line', 'word'], description: 'What is counted; words if left out.' },
  is_swapped: { type: 'boolean', description: 'True if the first file is the later version.' },
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

type Draft = { isAsked: boolean; by: 'line' | 'word' | undefined; isTwo: boolean }

const asks = (draft: Draft) => {
  draft.isAsked = true
  return true
}
const by = (unit: 'line' | 'word') => (draft: Draft) => {
  draft.by = unit
  return true
}
const noun =
  '(?:versions?|drafts?|revisions?|editions?|copies|copy|files?|texts?|documents?|letters?|notes|contracts?|leases?|agreements?|policies|policy|terms|rules|offers?|quotes?|reports?|configs?|recipes?|pages?|paragraphs?|sentences?|strings?|passages?|clauses?|ones?|terms and conditions|rental agreements?)'
const adjective =
  "(?:two|2|both|old|new|older|newer|first|second|attached|following|original|previous|last|current|uploaded|latest|updated|revised|earlier|later|signed|other|last year's|this year's)"
const phrases: readonly Phrase<Draft>[] = [
  [phraseOf('line[- ]by[- ]line|by lines?|per line|which lines'), by('line')],
  [phraseOf('clause[- ]by[- ]clause|(?:point|paragraph|section)[- ]by[- ](?:point|paragraph|section)'), by('line')],
  [phraseOf('word[- ](?:by|for)[- ]word|by words?|per word|which words'), by('word')],
  [
    phraseOf(
      "compare|comparison|diff|differences?|changes|changed|change|differs?|different|identical|(?:exactly )?the same|equal|sneak(?:ed)? (?:anything |something )?in|(?:was |were |is |are |has been |have been |(?:has|have|had|did) (?:he|she|they|it) (?:actually |really )?)?(?:added?|removed?|deleted?|modified|modify|altered|alter|edited|edit|amended|updated)|(?:what's|what is|whats|which (?:ones|clauses|lines|parts|points) are|and which are|which are) (?:new|gone|missing|out)(?: (?:and|or) (?:new|gone|missing))?",
    ),
    asks,
  ],
  [
    phraseOf(
      `(?:between |in |of |from |to |with |against )?(?:the |these |this |my |our |his |her |their |a |an |both |both of )*(?:${adjective} )*(?:and (?:the )?${adjective} )?${noun}(?: (?:of|for|from) (?:the|this|our|my|a|an|last year|this year)(?: [\\p{L}-]+){0,2})?(?: (?:attached|below|here|i attached|is attached|are attached))*`,
    ),
    (draft, [phrase]) => {
      draft.isTwo ||= /two|2 |both|old|new/.test(phrase)
      return true
    },
  ],
  ...(phrasesWithoutEffect as readonly Phrase<Draft>[]),
  [
    phraseOf(
      "show|find|list|tell|give|highlight|spot|determine|see|check|know|need|want|what|what's|whats|is|are|has|have|had|been|me|us|i|he|she|we|all|any|anything|something|every|everything|the|a|an|of|to|and|or|with|vs\\.?|versus|against|between|in|from|do|does|did|they|them|it|that|each other|one another|other|there|please|exactly|actually|really|just|which|if|whether|as|here|two|both|old|new|attached|since|now|too|also|was|were|compared|landlord|my|our|the landlord|on|out|would|like|for|⟦\\d+⟧",
    ),
    () => true,
  ],
]

const vocabulary = new Set(
  'changed compare comparison difference differences different versions version clauses contract contracts documents removed modified'.split(
    ' ',
  ),
)

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  if (!request) return undefined
  const draft: Draft = { isAsked: false, by: undefined, isTwo: false }
  for (const sentence of request.raw) {
    const lower = correctTypingErrors(sentence.toLowerCase(), vocabulary)
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  const files = goal.files.filter((file) => file.type === 'document.text')
  if (!draft.isAsked) return undefined
  const summary = 'I list what was removed from the first text and what was added in the second one.'
  // Quotations in sentences that only describe the background are no texts.
  const quotations =
    files.length === 2 ? request.quotations.filter((_, index) => request.raw.some((one) => one.includes(`⟦${index}⟧`))) : request.quotations
  const [text, other] = quotations
  const asks = request.raw.join(' ').toLowerCase()
  // "What is the difference between “affect” and “effect”?" asks for their meaning.
  if (/^what|^(?:tell|explain)/.test(asks) && request.quotations.some((one) => one.split(/\s+/).length < 4)) return undefined
  const options = { ...(draft.by && { by: draft.by }) }
  if (quotations.length === 2 && text !== undefined && other !== undefined && files.length === 0)
    return text.length + other.length > 20_000
      ? { confidence: 0.7, question: 'The quoted texts are long. Attach them as two text files.' }
      : { confidence: 0.9, query: { text, other, ...options }, summary }
  if (quotations.length === 0 && files.length === 2) {
    const isSwapped = isNewer(files[0]?.name ?? '', files[1]?.name ?? '')
    return { confidence: 0.9, query: { ...options, ...(isSwapped && { is_swapped: true }) }, summary: summaryOf(files, isSwapped) }
  }
  if (files.length > 2 || files.length < goal.files.length) return undefined
  // "What changed?" alone can be about anything.
  if (files.length === 0 && !draft.isTwo && !/\b(?:texts?|files?|documents?|versions?)\b/.test(asks)) return undefined
  return { confidence: 0.7, question: 'Which two texts are compared? Put each in quotation marks, or attach two text files.' }
}

const newWords = /(?:^|[^a-z])(?:new|newer|updated?|revised|final|after|current|latest)(?:[^a-z]|$)/i
const oldWords = /(?:^|[^a-z])(?:old|older|original|before|draft|previous|orig|first)(?:[^a-z]|$)/i

/** True if the names show that the first file is the later version. */
function isNewer(first: string, second: string): boolean {
  const numberOf = (name: string) => Number(/(?:^|[^a-z])v(?:ersion)?[ ._-]?(\d{1,4})(?!\d)/i.exec(name)?.[1])
  if (numberOf(first) > numberOf(second)) return true
  return (newWords.test(first) && !newWords.test(second)) || (oldWords.test(second) && !oldWords.test(first))
}

const summaryOf = (files: readonly { readonly name: string }[], isSwapped: boolean): string => {
  const [from, to] = (isSwapped ? files.toReversed() : files).map(({ name }) => `“${name.slice(0, 80)}”`)
  return `I list what was removed from ${from} and what was added in ${to}.`
}

function run(work: SkillRequest): SkillResponse {
  const { text, other, by: unit, is_swapped: isSwapped } = requireData(work, type)
  const attached = work.inputs.filter((input) => input.type === 'document.text').map((input) => input.text ?? '')
  const files = isSwapped === true ? attached.toReversed() : attached
  const [first = '', second = ''] = typeof text === 'string' && typeof other === 'string' ? [text, other] : files
  if (first === '' && second === '') return refuse('Two texts are needed, in the query or as two text files.')
  if (first.length > maxLength || second.length > maxLength)
    return refuse(`Each text may have ${maxLength.toLocaleString('en-US')} characters.`)
  const [a, b] = [normalise(first), normalise(second)]
  if (a === b) return answer('The texts are identical.', a, b)
  if (unit === 'line') return answerByLine(a, b)
  const changes = unit === undefined ? describeChanges(a, b) : undefined
  if (changes !== undefined) return answer(changes, a, b)
  const words = diffWordsWithSpace(a, b, { maxEditLength: maxEdits, timeout: 5_000 })
  if (!words) return answerByLine(a, b)
  const removed = words.filter((part) => part.removed && part.value.trim() !== '').map((part) => part.value.trim())
  const added = words.filter((part) => part.added && part.value.trim() !== '').map((part) => part.value.trim())
  const count = (parts: readonly string[]) => parts.reduce((sum, part) => sum + part.split(/\s+/).length, 0)
  const [less, more] = [count(removed), count(added)]
  if (less + more === 0) return answer('The texts differ in white space only.', a, b)
  const shown = [...removed.map((part) => `−${part}`), ...added.map((part) => `+${part}`)].join('; ')
  return answer(
    `${less} ${less === 1 ? 'word' : 'words'} removed and ${more} added${shown.length <= 300 ? `: ${shown.replace(/[.]$/, '')}` : ''}.`,
    a,
    b,
  )
}

function answerByLine(a: string, b: string): SkillResponse {
  const lines = diffLines(a, b, { maxEditLength: maxEdits, timeout: 5_000 })
  if (!lines) return refuse('The texts differ too much to compare them.')
  const list = (kind: 'added' | 'removed', sign: string) =>
    lines
      .filter((part) => part[kind])
      .flatMap((part) =>
        part.value
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `${sign}${line}`),
      )
  const shown = [...list('removed', '−'), ...list('added', '+')].join('\n')
  const [less, more] = [countOf(lines, 'removed'), countOf(lines, 'added')]
  const head = `${less} ${less === 1 ? 'line' : 'lines'} removed and ${more} added`
  return answer(shown.length <= 600 ? `${head}:\n${shown}` : `${head}.`, a, b)
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
