/** `text.redact`: replaces personal data of a fixed form by its kind. */
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { anyKind, countKinds, type EntityKind, findEntities, kindsIn } from './find-entities.ts'
import { isContentWord } from './list-sentences.ts'
import { readRedaction } from './read-redaction.ts'
import { readTextGoal, readTextRequest, requireMaterial, type TextRequest, textPorts } from './text-request.ts'

const type = 'query.text_redact'
const maxWords = 50
/** Kinds that identify a person. */
const personal: readonly EntityKind[] = ['email', 'phone', 'iban', 'card', 'ip', 'url', 'mention']
const marks: { readonly [kind in EntityKind]: string } = {
  email: '[EMAIL]',
  url: '[LINK]',
  phone: '[PHONE]',
  iban: '[IBAN]',
  card: '[CARD]',
  ip: '[IP]',
  date: '[DATE]',
  money: '[AMOUNT]',
  percentage: '[PERCENT]',
  hashtag: '[HASHTAG]',
  mention: '[USER]',
  number: '[NUMBER]',
}
const skill: ToolSkill = {
  id: 'text.redact',
  name: 'Redact personal data',
  description:
    'Replaces e-mail addresses, telephone numbers, IBANs, card numbers, IP addresses, links and mentions by their kind. Given names or words are replaced as well. It does not find names and postal addresses on its own.',
  inputs: textPorts(type, 'The text.', {
    kinds: { type: 'array', items: { enum: Object.keys(marks) }, maxItems: 12, description: 'All that identify a person, if left out.' },
    words: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: maxWords, description: 'Names or words to replace.' },
  }),
  outputs: [{ name: 'text', type: 'text.redacted', description: 'The text with marks such as [EMAIL].', optional: false }],
  price: '150000',
  tags: ['redact', 'anonymize', 'personal data', 'pii', 'privacy', 'mask', 'gdpr'],
  samples: [{ title: 'An address', input: { text: 'Write to ann@example.org.' }, output: 'Write to [EMAIL].' }],
}

const verb =
  '(?:redact|anonymi[sz]e|mask|remove|censor|hide|black out|blank out|strip(?: out)?|replace|obfuscate|scrub|delete|pseudonymi[sz]e|take out)'
const data =
  '(?:(?:personal|private|sensitive|contact)(?:ly identifiable)? (?:data|information|info|details)|pii|personally identifiable (?:data|information))'
const pattern = new RegExp(
  `^${verb}(?: (?:all|any|every|the|out|of|my|our))* ?(?:${data}|(${anyKind}(?:(?:, and|,| and| or| &) ?(?:(?:all|the|any) )?${anyKind})*))?(?: (?:by|with) (?:placeholders|marks|xxx|stars|asterisks|\\[redacted\\]))?$`,
)

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  const [sentence = ''] = request?.asked ?? []
  const match = request?.asked.length === 1 && pattern.exec(sentence)
  if (request && !match) return readGivenWords(request)
  // "remove" or "delete" alone says not what.
  if (
    !request ||
    !match ||
    (!match[1] && !/redact|anonymi|mask|pii|personal|private|sensitive|contact|pseudonymi|censor|scrub/.test(sentence))
  )
    return undefined
  const kinds = kindsIn(match[1] ?? '')
  return readTextGoal(
    request,
    kinds.length > 0 ? { kinds } : {},
    'I replace personal data of a fixed form. Names and postal addresses stay.',
  )
}

/** Names or words that the goal gives. The material is a file, or stands after them. */
function readGivenWords(request: TextRequest): ToolReading {
  const inSentence = (request.raw.join(' ').match(/⟦\d+⟧/g) ?? []).length
  const material = request.quotations.slice(inSentence)
  // `in "…"` at the end is the text.
  const isLastText = material.length === 0 && !request.hasFile && /\bin:? ⟦\d+⟧$/.test(request.raw.join(' '))
  const text = isLastText ? request.quotations.at(-1) : material[0]
  const found = readRedaction(isLastText ? { ...request, raw: request.raw.map((one) => one.replace(/⟦\d+⟧$/, '')) } : request)
  if (!found || found.words.length > maxWords || material.length > 1) return undefined
  const named = found.words.map((one) => `“${one.slice(0, 60)}”`).join(', ')
  const options = { words: [...found.words], ...(found.kinds.length > 0 && { kinds: [...found.kinds] }) }
  return readTextGoal(
    { ...request, text, quotations: text === undefined ? [] : [text] },
    options,
    `I replace ${named} by [REDACTED]. Other names stay.`,
  )
}

const isPlainWord = (word: string): boolean => !isContentWord(word)

/** A given word in any letters; a name that is a common word, such as Will, only with its capital. */
function wordPattern(word: string): RegExp {
  const pattern = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])`, isPlainWord(word) ? 'gu' : 'giu')
}

/** The text without the words, and how often each stood there. Longer words come first, so that no part of them is left. */
function redactWords(text: string, words: readonly string[]): { readonly text: string; readonly counts: readonly string[] } {
  let redacted = text
  const counts = words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => {
      let count = 0
      redacted = redacted.replace(wordPattern(word), () => {
        count++
        return '[REDACTED]'
      })
      return count === 0 ? `“${word}” does not occur` : `“${word}” ${count === 1 ? 'once' : `${count} times`}`
    })
  return { text: redacted, counts }
}

function run(work: SkillRequest): SkillResponse {
  const original = requireMaterial(work, type)
  const { kinds, words } = requireData(work, type)
  const given = (Array.isArray(words) ? words : []).filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  const { text, counts } = redactWords(original, given.slice(0, maxWords))
  const asked = (Array.isArray(kinds) ? kinds : []).filter((one): one is EntityKind => typeof one === 'string' && Object.hasOwn(marks, one))
  const wanted = asked.length > 0 || given.length > 0 ? asked : personal
  const found = findEntities(text, wanted)
  const parts: string[] = []
  let from = 0
  for (const one of found) {
    parts.push(text.slice(from, one.at), marks[one.kind])
    from = one.at + one.text.length
  }
  const redacted = [...parts, text.slice(from)].join('')
  const replaced = wanted.filter((kind) => found.some((one) => one.kind === kind))
  const gone = counts.length === 0 ? '' : `Redacted: ${counts.join(', ')}. `
  const what =
    wanted.length === 0 ? '' : found.length === 0 ? 'Nothing of these kinds was found' : `Replaced ${countKinds(found, replaced)}`
  const shown = redacted.length <= 300 ? ` ${redacted}` : ''
  return {
    outputs: [{ name: 'redacted.txt', media_type: 'text/plain', artifact_type: 'text.redacted', text: redacted }],
    text: `${gone}${what === '' ? 'Other names stay.' : `${what}. ${given.length > 0 ? 'Other names' : 'Names'} and postal addresses are not recognised.`}${shown}`,
  }
}

export const textRedactTool: Tool = { skill, readGoal, run }
