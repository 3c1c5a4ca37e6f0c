/** `text.redact`: replaces personal data of a fixed form by its kind. */
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { isContentWord } from './content-words.ts'
import { countKinds, type Entity, type EntityKind, findEntities, kindNames } from './find-entities.ts'
import { readKindRedaction, readWordRedaction } from './read-redaction.ts'
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
    keep: {
      type: 'array',
      items: { type: 'string', maxLength: 20 },
      maxItems: 20,
      description: 'Kinds, or names of numbers such as `order`, that stay.',
    },
    words: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: maxWords, description: 'Names or words to replace.' },
  }),
  outputs: [{ name: 'text', type: 'text.redacted', description: 'The text with marks such as [EMAIL].', optional: false }],
  price: '150000',
  tags: ['redact', 'anonymize', 'personal data', 'pii', 'privacy', 'mask', 'gdpr'],
  samples: [{ title: 'An address', input: { text: 'Write to ann@example.org.' }, output: 'Write to [EMAIL].' }],
}

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  if (!request) return undefined
  const found = readKindRedaction(request.raw.map((sentence) => sentence.replace(/(?:\b(?:in|of|from|on)|:) ?⟦\d+⟧$/, ' ')))
  if (!found) return readGivenWords(request)
  const { kinds, keep } = found
  const options = { ...(kinds.length > 0 && { kinds: [...kinds] }), ...(keep.length > 0 && { keep: [...keep] }) }
  const named = kinds.length > 0 ? kinds.map((kind) => kindNames[kind][1]).join(', ') : 'personal data of a fixed form'
  const kept = keep.length === 0 ? '' : ` These stay, which I check: ${keep.map(keptName).join(', ')}.`
  return readTextGoal(request, options, `I replace ${named}. Names and postal addresses stay.${kept}`)
}

const keptName = (one: string): string => (Object.hasOwn(kindNames, one) ? kindNames[one as EntityKind][1] : `${one} numbers`)

/** Names or words that the goal gives. The material is a file, or stands after them. */
function readGivenWords(request: TextRequest): ToolReading {
  const inSentence = (request.raw.join(' ').match(/⟦\d+⟧/g) ?? []).length
  const material = request.quotations.slice(inSentence)
  // `in "…"` at the end is the text.
  const isLastText = material.length === 0 && !request.hasFile && /\bin:? ⟦\d+⟧$/.test(request.raw.join(' '))
  const text = isLastText ? request.quotations.at(-1) : material[0]
  const found = readWordRedaction(isLastText ? { ...request, raw: request.raw.map((one) => one.replace(/⟦\d+⟧$/, '')) } : request)
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

/** What must remain: kinds, and numbers after a name, such as `Order KC-20931`. */
function findKept(text: string, keep: readonly string[]): Entity[] {
  const kinds = keep.filter((one): one is EntityKind => Object.hasOwn(marks, one))
  const numbers = keep
    .filter((one) => /^[a-z]{3,20}$/.test(one) && !Object.hasOwn(marks, one))
    .flatMap((name) => [
      ...text.matchAll(
        new RegExp(`\\b${name}(?: (?:number|no\\.?|nr\\.?|id|code))?[:#\\s]{0,3}([A-Z]{0,5}[-/]?\\d[A-Z\\d/-]{1,20})`, 'gi'),
      ),
    ])
    .map((match) => ({ kind: 'number' as const, text: match[1] ?? '', at: match.index + match[0].length - (match[1]?.length ?? 0) }))
  return [...findEntities(text, kinds), ...numbers]
}

const overlaps = (a: Entity, b: Entity): boolean => a.at < b.at + b.text.length && b.at < a.at + a.text.length

function redactKinds(text: string, found: readonly Entity[]): string {
  const parts: string[] = []
  let from = 0
  for (const one of found) {
    parts.push(text.slice(from, one.at), marks[one.kind])
    from = one.at + one.text.length
  }
  return [...parts, text.slice(from)].join('')
}

/** Says what stayed, and that it is still there. */
function keptNote(kept: readonly Entity[], redacted: string): string {
  if (kept.length === 0) return ''
  const values = [...new Set(kept.map((one) => one.text))]
  const lost = values.filter((value) => !redacted.includes(value))
  const left = values.filter((value) => !lost.includes(value))
  const note = left.length === 0 ? '' : ` Kept and checked: ${left.slice(0, 20).join('; ')}.`
  return lost.length === 0 ? note : `${note} Not kept: ${lost.slice(0, 20).join('; ')}.`
}

function run(work: SkillRequest): SkillResponse {
  const original = requireMaterial(work, type)
  const { kinds, words, keep } = requireData(work, type)
  const strings = (value: typeof kinds) => (Array.isArray(value) ? value : []).filter((one): one is string => typeof one === 'string')
  const given = strings(words).filter((one) => one.trim() !== '')
  const { text, counts } = redactWords(original, given.slice(0, maxWords))
  const asked = strings(kinds).filter((one): one is EntityKind => Object.hasOwn(marks, one))
  const wanted = asked.length > 0 || given.length > 0 ? asked : personal
  const kept = findKept(text, strings(keep))
  const found = findEntities(text, wanted).filter((one) => !kept.some((other) => overlaps(one, other)))
  const redacted = redactKinds(text, found)
  const replaced = wanted.filter((kind) => found.some((one) => one.kind === kind))
  const gone = counts.length === 0 ? '' : `Redacted: ${counts.join(', ')}. `
  const what =
    wanted.length === 0 ? '' : found.length === 0 ? 'Nothing of these kinds was found' : `Replaced ${countKinds(found, replaced)}`
  const shown = redacted.length <= 300 ? ` ${redacted}` : ''
  const names = `${given.length > 0 ? 'Other names' : 'Names'} and postal addresses are not recognised.`
  return {
    outputs: [{ name: 'redacted.txt', media_type: 'text/plain', artifact_type: 'text.redacted', text: redacted }],
    text: `${gone}${what === '' ? 'Other names stay.' : `${what}. ${names}`}${keptNote(kept, redacted)}${shown}`,
  }
}

export const textRedactTool: Tool = { skill, readGoal, run }
