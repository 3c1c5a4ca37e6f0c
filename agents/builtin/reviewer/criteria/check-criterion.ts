/** Decides a criterion from the deliverables of a goal. Pure, and linear in their length. */
import { parse } from 'csv-parse/sync'
import { formatList } from '../../format-numbers-and-lists.ts'
import { detectLanguage, hasEnglishWords, languageName } from '../../planner/intent/detect-language.ts'
import { findUnit } from '../../tools/numbers/find-unit.ts'
import { type CriterionRule, fileTypes } from './criterion-rule.ts'
import type { CheckedCriterion, Deliverable } from './deliverable.ts'

const met = (evidence: string): CheckedCriterion => ({ status: 'met', evidence })
const failed = (evidence: string): CheckedCriterion => ({ status: 'failed', evidence })
const unchecked = (evidence: string): CheckedCriterion => ({ status: 'unchecked', evidence })

export function checkCriterion(rule: CriterionRule, deliverables: readonly Deliverable[]): CheckedCriterion {
  if (rule.kind === 'file') return checkFile(rule.type, deliverables)
  const texts = deliverables.filter((one): one is Deliverable & { text: string } => one.text !== null && one.text.trim() !== '')
  if (texts.length === 0) return deliverables.length > 0 ? unchecked('No deliverable is a text.') : failed('There is no deliverable.')
  switch (rule.kind) {
    case 'table':
      return checkTable(rule, texts)
    case 'columns':
      return checkColumns(rule.names, texts)
    case 'number':
      return checkNumber(rule.unit, texts)
    case 'language':
      return checkLanguage(rule.code, texts)
    case 'words':
      return checkWords(rule, texts)
    case 'mentions':
      return checkMentions(rule, texts)
    default:
      return rule satisfies never
  }
}

type Readable = Deliverable & { readonly text: string }

function checkFile(type: keyof typeof fileTypes, deliverables: readonly Deliverable[]): CheckedCriterion {
  const wanted: readonly string[] = fileTypes[type]
  const found = deliverables.find(({ mediaType }) => wanted.includes(mediaType.split(';')[0]?.trim() ?? ''))
  const name = type.toUpperCase()
  if (!found) return failed(`No file has the type ${name}. There ${thereAre(deliverables)}.`)
  if (type === 'json' && found.text !== null && !isJson(found.text)) return failed(`${found.name} has the type JSON and is not valid JSON.`)
  return met(`${found.name} has the type ${name} and ${found.size.toLocaleString('en')} bytes.`)
}

const thereAre = (deliverables: readonly Deliverable[]): string =>
  deliverables.length === 0
    ? 'is none'
    : `is ${formatList(deliverables.slice(0, 4).map(({ name, mediaType }) => `${name} (${mediaType})`))}`

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

type ReadTable = { readonly name: string; readonly header: readonly string[]; readonly rows: number }

/** A CSV file, a list of records in JSON, or the longest table in Markdown. */
function tableIn({ name, mediaType, text }: Readable): ReadTable | null {
  if (mediaType.startsWith('text/csv')) {
    try {
      const [header = [], ...rows] = parse(text, {
        relax_column_count: true,
        skip_empty_lines: true,
        delimiter: delimiterOf(text),
      }) as string[][]
      return { name, header, rows: rows.length }
    } catch {
      return null
    }
  }
  return mediaType.startsWith('application/json') ? recordsIn(name, text) : markdownTableIn(name, text)
}

function delimiterOf(text: string): string {
  const head = text.slice(0, 2_000).split('\n')[0] ?? ''
  const counts = [',', ';', '\t'].map((mark) => [mark, head.split(mark).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

function recordsIn(name: string, text: string): ReadTable | null {
  try {
    const value: unknown = JSON.parse(text)
    if (!Array.isArray(value)) return null
    const [first] = value
    return { name, header: typeof first === 'object' && first !== null ? Object.keys(first) : [], rows: value.length }
  } catch {
    return null
  }
}

function markdownTableIn(name: string, text: string): ReadTable | null {
  const lines = text.split('\n')
  const rule = lines.findIndex(
    (line, index) => index > 0 && /^\s*\|?[\s:|-]*-{3}[\s:|-]*\|[\s:|-]*$/.test(line) && (lines[index - 1] ?? '').includes('|'),
  )
  if (rule < 1) return null
  const end = lines.findIndex((line, index) => index > rule && !line.includes('|'))
  const cells = (line: string) =>
    line
      .replace(/^\s*\||\|\s*$/g, '')
      .split('|')
      .map((cell) => cell.trim())
  return { name, header: cells(lines[rule - 1] ?? ''), rows: (end < 0 ? lines.length : end) - rule - 1 }
}

const largestTable = (texts: readonly Readable[]): ReadTable | null =>
  texts.map(tableIn).reduce((best, one) => (one && one.rows > (best?.rows ?? -1) ? one : best), null)

function checkTable({ min, max }: { min: number; max: number | null }, texts: readonly Readable[]): CheckedCriterion {
  const table = largestTable(texts)
  if (!table) return failed('No deliverable is a table.')
  const evidence = `${table.name} has a table of ${table.rows} ${table.rows === 1 ? 'row' : 'rows'}; ${inWords(min, max)} asked.`
  return table.rows >= min && (max === null || table.rows <= max) ? met(evidence) : failed(evidence)
}

function inWords(min: number, max: number | null): string {
  if (max === null) return `at least ${min} ${min === 1 ? 'is' : 'are'}`
  return min === max ? `${min} ${min === 1 ? 'is' : 'are'}` : min === 0 ? `at most ${max} are` : `${min} to ${max} are`
}

function checkColumns(names: readonly string[], texts: readonly Readable[]): CheckedCriterion {
  const tables = texts.map(tableIn).filter((one) => one !== null)
  if (tables.length === 0) return failed('No deliverable is a table.')
  const lower = (all: readonly string[]) => all.map((one) => one.toLowerCase())
  const found = tables.find(({ header }) => names.every((name) => lower(header).includes(name.toLowerCase())))
  const [first] = tables
  return found
    ? met(`${found.name} has the ${names.length === 1 ? 'column' : 'columns'} ${formatList(names)}.`)
    : failed(`${first?.name} has ${first?.header.length} columns, but not all of ${formatList(names)}.`)
}

function checkNumber(unit: string | null, texts: readonly Readable[]): CheckedCriterion {
  const wanted = unit === null ? undefined : findUnit(unit)
  for (const { name, text } of texts) {
    for (const match of text.matchAll(/([$€£]?\s?[-−]?\d[\d.,\u202f']*)\s?([\p{L}°%€$£µ²³/]+(?:\s\p{L}+)?)?/gu)) {
      const [, figure = '', after = ''] = match
      const words = [after, after.split(/\s/)[0] ?? '']
      const isUnit =
        unit === null ||
        words.some((word) => word.toLowerCase() === unit.toLowerCase() || (wanted && findUnit(word)?.symbol === wanted.symbol))
      if (isUnit || (unit !== null && figure.startsWith(unit)))
        return met(unit === null ? `${name} states a number.` : `${name} states a number with the unit ${unit}.`)
    }
  }
  return failed(unit === null ? 'No deliverable states a number.' : `No deliverable states a number with the unit ${unit}.`)
}

/** A shorter text is not said to be in a wrong language. */
const minLetters = 40

function checkLanguage(code: string, texts: readonly Readable[]): CheckedCriterion {
  const prose = texts.filter(({ mediaType }) => /^text\/(?:plain|markdown)|^text$/.test(mediaType))
  const text = (prose.length > 0 ? prose : texts)
    // Tables and quotations are material of the client.
    .map((one) => one.text.replace(/(`{3,})[\s\S]*?\1/g, ' ').replace(/^[|>].*$/gm, ' '))
    .join('\n')
    .slice(0, 4_000)
  const found = detectLanguage(text)
  const isShort = (text.match(/\p{L}/gu)?.length ?? 0) < minLetters
  if (found === code && (code !== 'en' || hasEnglishWords(text))) return met(`The text is in ${languageName(code)}.`)
  if (isShort || (found === 'en' && !hasEnglishWords(text))) return unchecked('The text has too few words to tell its language.')
  return failed(`The text is in ${languageName(found)}, and ${languageName(code)} is asked.`)
}

const wordsIn = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length

/** The longest text counts: a short note beside a report is not the report. */
function checkWords({ min, max }: { min: number; max: number | null }, texts: readonly Readable[]): CheckedCriterion {
  const [longest] = texts.map((one) => ({ name: one.name, have: wordsIn(one.text) })).sort((a, b) => b.have - a.have)
  const have = longest?.have ?? 0
  const evidence = `${longest?.name} has ${have} words; ${inWords(min, max)} asked.`
  return have >= min && (max === null || have <= max) ? met(evidence) : failed(evidence)
}

function checkMentions({ terms, isForbidden }: Extract<CriterionRule, { kind: 'mentions' }>, texts: readonly Readable[]): CheckedCriterion {
  const all = texts.map(({ text }) => text.toLowerCase()).join('\n')
  const found = terms.filter((term) => all.includes(term.toLowerCase()))
  const quote = (some: readonly string[]) => formatList(some.map((term) => `“${term}”`))
  if (isForbidden)
    return found.length > 0 ? failed(`A deliverable mentions ${quote(found)}.`) : met(`No deliverable mentions ${quote(terms)}.`)
  const absent = terms.filter((term) => !found.includes(term))
  return absent.length > 0 ? failed(`No deliverable mentions ${quote(absent)}.`) : met(`A deliverable mentions ${quote(terms)}.`)
}
