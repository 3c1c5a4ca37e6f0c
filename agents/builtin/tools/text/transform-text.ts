/** The operations on texts: each is a pure function from text to text. */
import { createHash } from 'node:crypto'
import { refuse } from '../../skill.ts'

export const operations = [
  'sort',
  'sort_descending',
  'sort_by_length',
  'unique_lines',
  'number_lines',
  'reverse_lines',
  'reverse_characters',
  'reverse_words',
  'remove_blank_lines',
  'collapse_spaces',
  'join_lines',
  'upper_case',
  'lower_case',
  'title_case',
  'sentence_case',
  'snake_case',
  'kebab_case',
  'camel_case',
  'slug',
  'base64_encode',
  'base64_decode',
  'url_encode',
  'url_decode',
  'sha256',
  'sha512',
  'sha1',
  'md5',
  'rot13',
  'wrap',
  'replace',
  'count',
] as const
export type Operation = (typeof operations)[number]

export type TransformOptions = {
  readonly find?: string
  readonly replacement?: string
  /** Further texts to replace, at the same time. */
  readonly replacements?: readonly { readonly find: string; readonly replacement: string }[]
  /** Characters in a line, for `wrap`. */
  readonly width?: number
}

/** Items of a list in one line or in several, and how they are joined again. */
export function splitItems(text: string): { readonly items: readonly string[]; readonly joint: string } {
  const lines = text.replace(/\n+$/, '').split('\n')
  if (lines.length > 1) return { items: lines, joint: '\n' }
  const [only = ''] = lines
  const separator = only.includes(';') ? ';' : only.includes(',') ? ',' : undefined
  if (separator === undefined) return { items: only.split(/\s+/).filter(Boolean), joint: ' ' }
  const items = only
    .replace(/[.]$/, '')
    .split(separator)
    .map((item) => item.replace(/^\s*and\s+/, '').trim())
    .filter(Boolean)
  return { items, joint: `${separator} ` }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const overItems = (text: string, change: (items: readonly string[]) => readonly string[]): string => {
  const { items, joint } = splitItems(text)
  return change(items).join(joint)
}

/** Words that titles write small, unless they come first or last. */
const smallWords = new Set('a an and as at but by for from if in into nor of off on onto or over per so the to up via with yet'.split(' '))
const titleCase = (text: string): string =>
  text
    .split('\n')
    .map((line) => {
      const words = line.split(' ')
      return words
        .map((word, index) => {
          const lower = word.toLowerCase()
          return index > 0 && index < words.length - 1 && smallWords.has(lower)
            ? lower
            : lower.replace(/\p{L}/u, (letter) => letter.toUpperCase())
        })
        .join(' ')
    })
    .join('\n')

const sentenceCase = (text: string): string =>
  text.toLowerCase().replace(/(^|[.!?]\s+|\n\s*)(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const reversed = (text: string): string =>
  [...graphemes.segment(text)]
    .map(({ segment }) => segment)
    .reverse()
    .join('')

const plainWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/ß/g, 'ss')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const overLines = (text: string, change: (line: string) => string): string => text.split('\n').map(change).join('\n')

function decodeBase64(text: string): string {
  const plain = text.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) return refuse('The text is no Base64: it has other characters than letters, digits, + and /.')
  const bytes = Buffer.from(plain, 'base64')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('The Base64 decodes to bytes that are no UTF-8 text.')
  }
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'))
  } catch {
    return refuse('The text is not URL-encoded: a % is not followed by two hexadecimal digits of UTF-8.')
  }
}

const hash = (name: string) => (text: string) => createHash(name).update(text, 'utf8').digest('hex')

const simple: { readonly [operation in Exclude<Operation, 'replace' | 'count' | 'wrap'>]: (text: string) => string } = {
  sort: (text) => overItems(text, (items) => items.toSorted(collator.compare)),
  sort_descending: (text) => overItems(text, (items) => items.toSorted((a, b) => collator.compare(b, a))),
  sort_by_length: (text) => overItems(text, (items) => items.toSorted((a, b) => a.length - b.length)),
  unique_lines: (text) => overItems(text, (items) => [...new Map(items.map((item) => [item.trim(), item])).values()]),
  number_lines: (text) => overItems(text, (items) => items.map((item, index) => `${index + 1}. ${item}`)),
  reverse_lines: (text) => overItems(text, (items) => items.toReversed()),
  reverse_characters: reversed,
  reverse_words: (text) => overLines(text, (line) => line.split(' ').reverse().join(' ')),
  remove_blank_lines: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .join('\n'),
  collapse_spaces: (text) => overLines(text, (line) => line.replace(/[^\S\n]+/g, ' ').trim()),
  join_lines: (text) =>
    text
      .split(/(?<!\s)\s*\n\s*/)
      .filter(Boolean)
      .join(' '),
  upper_case: (text) => text.toUpperCase(),
  lower_case: (text) => text.toLowerCase(),
  title_case: titleCase,
  sentence_case: sentenceCase,
  snake_case: (text) => overLines(text, (line) => plainWords(line).join('_')),
  kebab_case: (text) => overLines(text, (line) => plainWords(line).join('-')),
  camel_case: (text) =>
    overLines(text, (line) =>
      plainWords(line)
        .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
        .join(''),
    ),
  slug: (text) => overLines(text, (line) => plainWords(line).join('-')),
  base64_encode: (text) => Buffer.from(text, 'utf8').toString('base64'),
  base64_decode: decodeBase64,
  url_encode: (text) => encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed()),
  url_decode: decodeUrl,
  sha256: hash('sha256'),
  sha512: hash('sha512'),
  sha1: hash('sha1'),
  md5: hash('md5'),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (letter) => {
      const base = letter <= 'Z' ? 65 : 97
      return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
    }),
}

/** Breaks lines between words. A word that is longer than a line stays whole. */
function wrapText(text: string, width: number): string {
  return overLines(text, (line) => {
    const indent = /^\s*/.exec(line)?.[0] ?? ''
    const lines: string[] = []
    let open = indent
    for (const word of line.split(/\s+/).filter(Boolean)) {
      const isFirst = open.trim() === ''
      const longer = isFirst ? open + word : `${open} ${word}`
      if (isFirst || [...longer].length <= width) {
        open = longer
        continue
      }
      lines.push(open)
      open = indent + word
    }
    return [...lines, open].join('\n')
  })
}

/** The pattern of a text; as a whole word, if it is one. */
const patternOf = (find: string): string => {
  const pattern = find.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return /^[\p{L}\p{N}_]+$/u.test(find) && find.length > 1 ? `(?<![\\p{L}\\p{N}_])${pattern}(?![\\p{L}\\p{N}_])` : pattern
}
const isCased = (find: string): boolean => find !== find.toLowerCase()

/** The places where a text occurs. A capital in it counts. */
const occurrencesOf = (find: string): RegExp => new RegExp(patternOf(find), isCased(find) ? 'gu' : 'giu')

/** Replaces all at once, so that a replacement is not replaced again. The longest text comes first. */
function replaceAllOf(text: string, pairs: readonly { readonly find: string; readonly replacement: string }[]): string {
  const sorted = pairs.toSorted((a, b) => b.find.length - a.find.length)
  const whole = sorted.map(({ find }) => `(${isCased(find) ? patternOf(find) : anyCase(patternOf(find))})`).join('|')
  return text.replace(new RegExp(whole, 'gu'), (...groups) => {
    const index = groups.slice(1, sorted.length + 1).findIndex((group) => group !== undefined)
    return sorted[index]?.replacement ?? ''
  })
}

const anyCase = (pattern: string): string => `(?i:${pattern})`

/** @throws {SkillRefused} if the text cannot be decoded, or an option is missing */
export function transformText(text: string, operation: Operation, options: TransformOptions): string {
  const { find = '', replacement = '', replacements = [], width } = options
  if (operation === 'wrap')
    return width === undefined ? refuse('The query needs `width`: the characters in a line.') : wrapText(text, width)
  if (operation !== 'replace' && operation !== 'count') return simple[operation](text)
  if (operation === 'replace' && replacements.length > 0) return replaceAllOf(text, replacements)
  if (find === '') return refuse('The query needs `find`: what is counted or replaced.')
  if (operation === 'count') return String([...text.matchAll(occurrencesOf(find))].length)
  return text.replace(occurrencesOf(find), () => replacement)
}
