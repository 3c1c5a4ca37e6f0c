/** `text.extract`: lists addresses, links, dates, amounts and other things of a fixed form. */
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { anyKind, countKinds, type EntityKind, entityKinds, findEntities, kindsIn } from './find-entities.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_extract'
const skill: ToolSkill = {
  id: 'text.extract',
  name: 'Extract addresses, links, dates and amounts',
  description:
    'Lists e-mail addresses, links, telephone numbers, IBANs, card numbers, IP addresses, dates, amounts of money, percentages, hashtags, mentions and numbers of a text as CSV.',
  inputs: textPorts(type, 'The text and what to list.', {
    kinds: { type: 'array', items: { enum: entityKinds }, maxItems: entityKinds.length, description: 'All kinds, if left out.' },
  }),
  outputs: [{ name: 'entities', type: 'text.entities', description: 'CSV with kind, text and line.', optional: false }],
  price: '150000',
  tags: ['extract', 'email addresses', 'urls', 'links', 'phone numbers', 'dates', 'amounts', 'numbers', 'hashtags'],
  samples: [
    {
      title: 'Two kinds',
      input: { text: 'Write to ann@example.org by 3 May 2027.', kinds: ['email', 'date'] },
      output: '1 e-mail address and 1 date: ann@example.org; 3 May 2027.',
    },
  ],
}

const verb =
  '(?:extract|find|list|get|pull(?: out)?|give(?: me)?|show(?: me)?|collect|grab|identify|pick out|output|return|what are|which|what|i need|need|make a list of|i want)'
const quantity = '(?:(?:me|out|all|every|each|any|of|the|a list of|list of|unique|distinct|different|single)\\s+)*'
const item = `(?:(?:all|every|the|any) )?(?:unique )?${anyKind}`
const pattern = new RegExp(
  `^${verb} ${quantity}(${item}(?:(?:, and|,| and| or| &|/) ?${item})*)(?: (?:are|is)? ?(?:mentioned|in there|there|present|appear|occur|found|included|used|contained))?(?:,? (?:as|in|into) (?:a )?(?:csv|list|table)(?: file)?)?$`,
)

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  if (request?.asked.length !== 1) return undefined
  const match = pattern.exec(request.asked[0] ?? '')
  const kinds = match && kindsIn(match[1] ?? '')
  if (!kinds || kinds.length === 0) return undefined
  return readTextGoal(request, { kinds }, `I list from the text: ${kinds.join(', ')}.`)
}

const maxShown = 8

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const { kinds } = requireData(work, type)
  const asked = Array.isArray(kinds) ? entityKinds.filter((kind) => kinds.includes(kind)) : []
  const wanted: readonly EntityKind[] = asked.length > 0 ? asked : entityKinds
  const found = findEntities(text, wanted)
  const shown = [...new Set(found.map((one) => one.text))]
  const values = shown.slice(0, maxShown).join('; ')
  const rest = shown.length > maxShown ? `; and ${shown.length - maxShown} more in the file` : ''
  return {
    outputs: [{ name: 'entities.csv', media_type: 'text/csv', artifact_type: 'text.entities', text: toCsv(text, found) }],
    text: `Found ${countKinds(found, asked.length > 0 ? asked : [...new Set(found.map((one) => one.kind))])}${values ? `: ${values}${rest}` : ''}.`,
  }
}

function toCsv(text: string, found: readonly { readonly kind: string; readonly text: string; readonly at: number }[]): string {
  let [line, from] = [1, 0]
  const rows = found.map((one) => {
    for (; from < one.at; from++) if (text.charCodeAt(from) === 10) line++
    return `${one.kind},${cell(one.text)},${line}`
  })
  return `kind,text,line\n${rows.join('\n')}${rows.length > 0 ? '\n' : ''}`
}

/** A cell that a spreadsheet runs as no formula. */
const cell = (text: string): string => {
  const safe = /^[=+\-@\t]/.test(text) && !/^[+-]?[\d\s().,/-]+$/.test(text) ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const textExtractTool: Tool = { skill, readGoal, run }
