/** `text.extract`: lists addresses, links, dates, amounts and other things of a fixed form. */
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { countKinds, type Entity, entityKinds, findEntities } from './find-entities.ts'
import { findTodos } from './find-todos.ts'
import { commonCallingCode, formatPhoneNumber, internationalForm, isPhoneForm, uniquePhones } from './format-phone-number.ts'
import { type ExtractKind, readExtractionRequest } from './read-extraction-request.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_extract'
const extractKinds: readonly ExtractKind[] = [...entityKinds, 'todo']
const skill: ToolSkill = {
  id: 'text.extract',
  name: 'Extract addresses, links, dates and amounts',
  description:
    'Lists e-mail addresses, links, telephone numbers, IBANs, card numbers, IP addresses, dates, amounts of money, percentages, hashtags, mentions, numbers and to-dos of a text as CSV. Each once, sorted or counted by domain, if asked.',
  inputs: textPorts(type, 'The text and what to list.', {
    kinds: {
      type: 'array',
      items: { enum: extractKinds },
      maxItems: extractKinds.length,
      description: 'All kinds but to-dos, if left out.',
    },
    unique: { type: 'boolean', description: 'Each once.' },
    sorted: { type: 'boolean', description: 'In alphabetical order.' },
    by_domain: { type: 'boolean', description: 'Counts addresses and links by domain.' },
    plain_list: { type: 'boolean', description: 'One per line, without kind and line number.' },
    lower_case: { type: 'boolean', description: 'In small letters.' },
    except: {
      type: 'array',
      items: { type: 'string', maxLength: 200 },
      maxItems: 20,
      description: 'Addresses that are left out, also by their beginning or end, such as `info@`.',
    },
    phone_form: { type: 'string', maxLength: 40, description: 'How telephone numbers are written, such as `0X XX XX XX XX`.' },
  }),
  outputs: [{ name: 'entities', type: 'text.entities', description: 'CSV with kind, text and line, or a plain list.', optional: false }],
  price: '150000',
  tags: [
    'extract',
    'email addresses',
    'urls',
    'links',
    'phone numbers',
    'dates',
    'amounts',
    'numbers',
    'hashtags',
    'to-do',
    'action items',
    'unique',
    'domain',
  ],
  samples: [
    {
      title: 'Two kinds',
      input: { text: 'Write to ann@example.org by 3 May 2027.', kinds: ['email', 'date'] },
      output: '1 e-mail address and 1 date: ann@example.org; 3 May 2027.',
    },
  ],
}

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  const found = request && readExtractionRequest(request)
  if (!found) return undefined
  const { kinds, isUnique, isSorted, isByDomain, isPlainList, isLowerCase, phoneForm, except } = found
  const options = {
    kinds: [...kinds],
    ...(isUnique && { unique: true }),
    ...(isSorted && { sorted: true }),
    ...(isByDomain && { by_domain: true }),
    ...(isPlainList && { plain_list: true }),
    ...(isLowerCase && { lower_case: true }),
    ...(except.length > 0 && { except: [...except] }),
    ...(phoneForm !== undefined && { phone_form: phoneForm.toUpperCase() }),
  }
  const how = [
    isUnique ? ', each once' : '',
    isSorted ? ', sorted' : '',
    isByDomain ? ', counted by domain' : '',
    isLowerCase ? ', in small letters' : '',
    isPlainList ? ', one per line' : '',
    except.length > 0 ? `, without ${except.join(' and ')}` : '',
    phoneForm === undefined ? '' : `, written as ${formName(phoneForm)}`,
  ].join('')
  return readTextGoal(
    request,
    options,
    `I list from the text: ${kinds.map((kind) => (kind === 'todo' ? 'to-do' : kind)).join(', ')}${how}.`,
  )
}

const formName = (form: string): string => (form === internationalForm ? 'international numbers' : form.toUpperCase())

const withoutExcepted = (found: readonly Found[], except: readonly string[]): Found[] =>
  found.filter(({ text }) => {
    const lower = text.toLowerCase()
    return !except.some((one) => (one.endsWith('@') ? lower.startsWith(one) : one.startsWith('@') ? lower.endsWith(one) : lower === one))
  })

const maxShown = 20
const maxShownText = 600

type Found = { readonly kind: ExtractKind; readonly text: string; readonly at: number; readonly isDone?: boolean }

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const {
    kinds,
    unique,
    sorted,
    by_domain: byDomain,
    plain_list: isPlain,
    lower_case: isLower,
    phone_form: form,
    except,
  } = requireData(work, type)
  const asked = Array.isArray(kinds) ? extractKinds.filter((kind) => kinds.includes(kind)) : []
  const wanted = asked.length > 0 ? asked : entityKinds
  const all = withoutExcepted(findAll(text, wanted), Array.isArray(except) ? except.map(String) : [])
  const once = unique === true ? uniqueOf(all) : all
  const { written, notice } = writePhones(once, typeof form === 'string' && isPhoneForm(form) ? form : undefined)
  const lower = isLower === true ? written.map((one) => ({ ...one, text: one.text.toLowerCase() })) : written
  const found = sorted === true ? lower.toSorted((a, b) => collator.compare(a.text, b.text)) : lower
  const named = asked.length > 0 ? asked : [...new Set(found.map((one) => one.kind))]
  const entities = found.filter((one) => one.kind !== 'todo') as Entity[]
  const entityNames = named.filter((kind) => kind !== 'todo')
  const values = isPlain === true ? found.map((one) => one.text) : [...new Set(entities.map((one) => one.text))]
  const shown = isPlain === true ? plainValues(values) : shownValues(values)
  const head = entityNames.length === 0 ? '' : `Found ${countKinds(entities, entityNames)}${shown}${isPlain === true ? '' : '.'}`
  const sentences = [
    head,
    unique === true && once.length < all.length ? `Left out ${all.length - once.length} more of the same.` : '',
    notice,
    named.includes('email') ? disguisedIn(text) : '',
    byDomain === true ? domainsOf(entities) : '',
    named.includes('todo') ? todosOf(text) : '',
  ]
  const file =
    isPlain === true
      ? { name: 'list.txt', media_type: 'text/plain', text: values.map((one) => `${one}\n`).join('') }
      : { name: 'entities.csv', media_type: 'text/csv', text: toCsv(text, found) }
  return { outputs: [{ ...file, artifact_type: 'text.entities' }], text: sentences.filter((sentence) => sentence !== '').join('\n') }
}

/** Telephone numbers in the given form, and a note on those that do not fit it. */
function writePhones(found: readonly Found[], form: string | undefined): { readonly written: readonly Found[]; readonly notice: string } {
  if (form === undefined) return { written: found, notice: '' }
  const country = commonCallingCode(found.filter(({ kind }) => kind === 'phone').map(({ text }) => text))
  const left: string[] = []
  const written = found.map((one) => {
    const text = one.kind === 'phone' ? formatPhoneNumber(one.text, form, country) : one.text
    if (text === undefined) left.push(one.text)
    return text === undefined ? one : { ...one, text }
  })
  const hasNational = found.some(({ kind, text }) => kind === 'phone' && !/^\s*\(?(?:\+|00)/.test(text))
  const assumed =
    hasNational && form.startsWith('+') && country !== undefined ? `Numbers without a calling code are read as +${country}. ` : ''
  const notice =
    left.length === 0
      ? assumed.trim()
      : `${assumed}Left as written, because they do not fit the form ${formName(form)}: ${left.slice(0, maxShown).join('; ')}.`
  return { written, notice }
}

/** Addresses that are written so that no program finds them. */
function disguisedIn(text: string): string {
  const found = [...text.matchAll(/(?<![\w.+-])[\w.+-]{1,64} ?[([{]at[)\]}] ?[\w-]{1,63}(?:\.[\w-]{1,63}){1,3}/gi)].map(([one]) => one)
  return found.length === 0 ? '' : `Not listed, because they are not written as addresses: ${[...new Set(found)].slice(0, 10).join('; ')}.`
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

function findAll(text: string, kinds: readonly ExtractKind[]): Found[] {
  const named = kinds.filter((kind) => kind !== 'todo')
  const entities: Found[] = named.length > 0 ? findEntities(text, named) : []
  if (!kinds.includes('todo')) return entities
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const todos = findTodos(text).filter(({ isDone }) => !isDone)
  return [...entities, ...todos.map(({ text: one, line }) => ({ kind: 'todo' as const, text: one, at: starts[line - 1] ?? 0 }))]
}

/** The first of each. Addresses and links of different letters' case are the same. */
function uniqueOf(found: readonly Found[]): Found[] {
  const seen = new Set<string>()
  const phones = new Set(uniquePhones(found.filter(({ kind }) => kind === 'phone')))
  return found.filter((one) => {
    if (one.kind === 'phone') return phones.has(one)
    const { kind, text } = one
    const key = `${kind} ${kind === 'email' ? text.toLowerCase() : text}`
    return !seen.has(key) && seen.add(key)
  })
}

function plainValues(values: readonly string[]): string {
  const rest = values.length > maxShown ? `\n… and ${values.length - maxShown} more in the file` : ''
  return values.length === 0 ? '.' : `:\n${values.slice(0, maxShown).join('\n')}${rest}`
}

function shownValues(values: readonly string[]): string {
  if (values.length === 0) return ''
  let [count, length] = [0, 0]
  while (count < values.length && count < maxShown && length < maxShownText) length += values[count++]?.length ?? 0
  const rest = values.length > count ? `; and ${values.length - count} more in the file` : ''
  return `: ${values.slice(0, count).join('; ')}${rest}`
}

function domainsOf(entities: readonly Entity[]): string {
  const counts = new Map<string, number>()
  for (const { kind, text } of entities) {
    const domain = kind === 'email' ? text.slice(text.lastIndexOf('@') + 1) : text.replace(/^https?:\/\//i, '').replace(/[/?#:].*$/, '')
    const key = domain.toLowerCase().replace(/^www\./, '')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  return sorted.length === 0 ? '' : `By domain: ${sorted.map(([domain, count]) => `${domain}: ${count}`).join('; ')}.`
}

function todosOf(text: string): string {
  const all = findTodos(text)
  const open = all.filter(({ isDone }) => !isDone)
  const done = all.length - open.length
  const left = done === 0 ? '' : ` ${done} ${done === 1 ? 'is' : 'are'} marked as done and left out.`
  const rule = 'Only lines marked as “to-do” or “action item”, or with a checkbox, count.'
  if (open.length === 0) return `Found no open to-do.${left} ${rule}`
  const list = open.slice(0, maxShown).map((one) => `- ${one.text}`)
  const more = open.length > maxShown ? `\n… and ${open.length - maxShown} more in the file` : ''
  return `${open.length} open ${open.length === 1 ? 'to-do' : 'to-dos'}:\n${list.join('\n')}${more}\n${rule}${left}`
}

function toCsv(text: string, found: readonly Found[]): string {
  let [line, from] = [1, 0]
  const lines = new Map<Found, number>()
  for (const one of found.toSorted((a, b) => a.at - b.at)) {
    for (; from < one.at; from++) if (text.charCodeAt(from) === 10) line++
    lines.set(one, line)
  }
  const rows = found.map((one) => `${one.kind},${cell(one.text)},${lines.get(one)}`)
  return `kind,text,line\n${rows.join('\n')}${rows.length > 0 ? '\n' : ''}`
}

/** A cell that a spreadsheet runs as no formula. */
const cell = (text: string): string => {
  const safe = /^[=+\-@\t]/.test(text) && !/^[+-]?[\d\s().,/-]+$/.test(text) ? `'${text}` : text
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const textExtractTool: Tool = { skill, readGoal, run }
