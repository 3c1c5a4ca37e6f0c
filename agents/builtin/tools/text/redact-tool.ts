/** `text.redact`: replaces personal data of a fixed form by its kind. */
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { anyKind, countKinds, type EntityKind, findEntities, kindsIn } from './find-entities.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_redact'
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
    'Replaces e-mail addresses, telephone numbers, IBANs, card numbers, IP addresses, links and mentions by their kind. It does not find names and postal addresses.',
  inputs: textPorts(type, 'The text.', {
    kinds: { type: 'array', items: { enum: Object.keys(marks) }, maxItems: 12, description: 'All that identify a person, if left out.' },
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

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const { kinds } = requireData(work, type)
  const asked = (Array.isArray(kinds) ? kinds : []).filter((one): one is EntityKind => typeof one === 'string' && Object.hasOwn(marks, one))
  const wanted = asked.length > 0 ? asked : personal
  const found = findEntities(text, wanted)
  const parts: string[] = []
  let from = 0
  for (const one of found) {
    parts.push(text.slice(from, one.at), marks[one.kind])
    from = one.at + one.text.length
  }
  const redacted = [...parts, text.slice(from)].join('')
  const replaced = wanted.filter((kind) => found.some((one) => one.kind === kind))
  const what = found.length === 0 ? 'Nothing of these kinds was found' : `Replaced ${countKinds(found, replaced)}`
  const shown = redacted.length <= 300 ? ` ${redacted}` : ''
  return {
    outputs: [{ name: 'redacted.txt', media_type: 'text/plain', artifact_type: 'text.redacted', text: redacted }],
    text: `${what}. Names and postal addresses are not recognised.${shown}`,
  }
}

export const textRedactTool: Tool = { skill, readGoal, run }
