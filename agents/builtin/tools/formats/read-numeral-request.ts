/** Reads which numbers a goal wants in another notation: Roman, English words, or another base. */
import { readNumberWords } from '../numbers/read-number-words.ts'
import { trimPoliteness } from '../strip-politeness.ts'
import { hasRole, type Lexicon, type RoleWord, readWordRoles } from './read-word-roles.ts'
import { fromRoman } from './to-and-from-roman.ts'

export type NumeralRequest = {
  readonly action: 'to_roman' | 'from_roman' | 'to_words' | 'to_ordinal' | 'from_words' | 'base'
  readonly numbers: readonly string[]
  readonly currency?: string
  readonly from?: number
  readonly to?: readonly number[]
}

type Role = 'roman' | 'arabic' | 'words' | 'ordinal' | 'base' | 'to' | 'from' | 'and' | 'cheque' | 'money' | 'plain'
const lexicon: Lexicon<Role> = {
  roman: 'roman romans',
  arabic: 'arabic digits figures decimal-number numeric hindu-arabic',
  words: 'words word spell spelled spelt spelling english letters longhand text',
  ordinal: 'ordinal ordinals',
  base: 'binary hex hexadecimal octal decimal dec bin oct denary',
  to: 'to into in as',
  from: 'from',
  and: 'and',
  cheque: 'cheque check cheques',
  money: 'dollars dollar euros euro pounds pound usd eur gbp yuan cny',
  plain:
    'numeral numerals number numbers convert conversion translate transform change turn year date value mean means stand stands amount of for form notation system format equal equals called express represent represented representation equivalent base system how normal regular ordinary say written out full number/numeral integer whole numbers: figure',
}

const baseWords: { readonly [word: string]: number } = {
  binary: 2,
  bin: 2,
  octal: 8,
  oct: 8,
  decimal: 10,
  dec: 10,
  denary: 10,
  hex: 16,
  hexadecimal: 16,
}

type Part = { readonly kind: 'number'; readonly text: string } | { readonly kind: 'word'; readonly role: RoleWord<Role> }

/** Numbers stay as they are written; `base 7` is one word. */
const numberToken = /^[-−]?[$€£]?\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?$|^0[xbo][\da-f]+$/i
const maxLength = 400

export function readNumeralRequest(text: string): NumeralRequest | undefined {
  const request = trimPoliteness(text.replace(/["“”`«»]|(?<!\w)'|'(?!\w)/g, ' ').replace(/\s+/g, ' ')).replace(
    /\bhow (?:do|would|should) (?:you|i|we) (?:write|say|spell)\b/i,
    'write',
  )
  if (request.length > maxLength || /\bhow many\b/i.test(request)) return undefined
  const spelled = readSpelledNumber(request)
  if (spelled) return spelled
  const tokens = request
    .replace(/\bbase[- ]?(\d{1,2})\b/gi, 'base$1')
    .replace(/\b(?:base)(?:ten)\b/gi, 'base10')
    .split(/[\s:?!;()=]+/)
    .map((token) => token.replace(/(?<![.,])[.,]+$/, ''))
    .filter((token) => token !== '')
  const hasRoman = tokens.some((token) => /^romans?$/i.test(token))
  const parts: Part[] = []
  for (const token of tokens) {
    const isNumber = numberToken.test(token) || isRomanToken(token, hasRoman) || (!hasRoman && isDigits(token))
    const base = /^base(\d{1,2})$/i.exec(token)?.[1]
    if (base !== undefined) parts.push({ kind: 'word', role: { role: 'base', word: base } })
    else if (isNumber) parts.push({ kind: 'number', text: token })
    else {
      const roles = readWordRoles(token, lexicon)
      if (!roles) return undefined
      parts.push(...roles.map((role): Part => ({ kind: 'word', role })))
    }
  }
  return requestOf(parts)
}

/** Hexadecimal digits with a figure or in capitals: `ff` alone may be a word. */
const isDigits = (token: string): boolean =>
  /^(?=.*\d)[\da-f]{1,32}$/i.test(token) || /^[A-F]{2,16}$/.test(token) || /^f{2,16}$/.test(token)

/** `I` and short words in small letters are words, unless the goal names Roman numerals. */
const isRomanToken = (token: string, hasRoman: boolean): boolean =>
  /^[MDCLXVI]{2,15}$/.test(token) ||
  (hasRoman && (/^[mdclxvi]{2,15}$/.test(token) || /^[MDCLXV]$/.test(token)) && fromRoman(token) !== undefined)

function requestOf(parts: readonly Part[]): NumeralRequest | undefined {
  const words = parts.flatMap((part) => (part.kind === 'word' ? [part.role] : []))
  const numbers = parts.flatMap((part) => (part.kind === 'number' ? [part.text] : []))
  const has = (role: Role) => hasRole(words, role)
  if (numbers.length === 0 || numbers.length > 20) return undefined
  const isRoman = numbers.every((text) => /^[mdclxvi]+$/i.test(text))
  if (has('words') || has('cheque') || has('ordinal'))
    return has('roman') || has('base') || isRoman ? undefined : wordsRequest(words, numbers)
  if (has('money')) return undefined
  if (has('roman') || isRoman) {
    if (has('base') && !words.some(({ word }) => /^dec/.test(word))) return undefined
    if (isRoman)
      return has('roman') || has('arabic') || words.some(({ word }) => /^num/.test(word)) ? { action: 'from_roman', numbers } : undefined
    const range = rangeOf(parts)
    if (!numbers.every((text) => /^\d[\d,]*$/.test(text))) return undefined
    return { action: 'to_roman', numbers: range ?? numbers.map((text) => text.replaceAll(',', '')) }
  }
  return has('base') ? baseRequest(parts, numbers) : undefined
}

/** `from 1 to 20`: every number of it. */
function rangeOf(parts: readonly Part[]): string[] | undefined {
  const at = parts.findIndex(
    (part, index) => part.kind === 'number' && parts[index + 2]?.kind === 'number' && isWord(parts[index + 1], 'to'),
  )
  const [first, last] = [parts[at], parts[at + 2]].map((part) => (part?.kind === 'number' ? Number(part.text) : Number.NaN))
  if (first === undefined || last === undefined || !(first < last) || last - first > 200) return undefined
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index))
}

const isWord = (part: Part | undefined, role: Role): boolean => part?.kind === 'word' && part.role.role === role

function wordsRequest(words: readonly RoleWord<Role>[], numbers: readonly string[]): NumeralRequest | undefined {
  const plain = numbers.map((text) => text.replaceAll(',', '').replace(/[$€£]/, ''))
  if (
    numbers.some((text) => /^0[xbo]/i.test(text)) ||
    numbers.some((text) => /,/.test(text) && !/^[-−]?[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text))
  )
    return undefined
  const isOrdinal = hasRole(words, 'ordinal') || numbers.every((text) => /(?:st|nd|rd|th)$/i.test(text))
  const digits = plain.map((text) => text.replace(/(?:st|nd|rd|th)$/i, ''))
  if (!digits.every((text) => /^[-−]?\d+(?:\.\d+)?$/.test(text))) return undefined
  if (isOrdinal) return digits.every((text) => /^\d+$/.test(text)) ? { action: 'to_ordinal', numbers: digits } : undefined
  const sign = numbers.map((text) => /[$€£]/.exec(text)?.[0]).find((one) => one !== undefined)
  // Two currencies ask for an exchange rate.
  if (words.filter(({ role }) => role === 'money').length > 1) return undefined
  const named = words.find(({ role }) => role === 'money')?.word ?? ''
  const currency =
    sign === '$' || /^(?:dollar|usd)/.test(named)
      ? 'USD'
      : sign === '€' || /^eur/.test(named)
        ? 'EUR'
        : sign === '£' || /^(?:pound|gbp)/.test(named)
          ? 'GBP'
          : /^(?:yuan|cny)/.test(named)
            ? 'CNY'
            : undefined
  // A cheque needs its currency, and an amount has at most two digits after the point.
  if (currency === undefined && hasRole(words, 'cheque')) return undefined
  if (currency !== undefined && !digits.every((text) => /^[-−]?\d+(?:\.\d{1,2})?$/.test(text))) return undefined
  return { action: 'to_words', numbers: digits, ...(currency !== undefined && { currency }) }
}

/** `ff hex to binary`, `binary 1010 in decimal`, `convert 255 from decimal to hex and octal`. */
function baseRequest(parts: readonly Part[], numbers: readonly string[]): NumeralRequest | undefined {
  let from: number | undefined
  const targets: number[] = []
  let isTarget = false
  for (const [index, part] of parts.entries()) {
    if (part.kind !== 'word') continue
    const { role, word } = part.role
    if (role === 'from') isTarget = false
    if (role === 'to') isTarget = true
    if (role !== 'base') continue
    const base = baseWords[word] ?? Number(word)
    if (!(base >= 2 && base <= 36)) return undefined
    const [before, after] = [parts[index - 1], parts[index + 1]]
    const isSource = isWord(before, 'from') || before?.kind === 'number' || (!isTarget && (after?.kind === 'number' || isWord(after, 'to')))
    if (isSource && from !== undefined) return undefined
    if (isSource) from = base
    else if (isTarget || isWord(before, 'and')) targets.push(base)
    else if (parts.some((one) => isWord(one, 'to'))) return undefined
    else targets.push(base)
  }
  const prefixes = new Set(numbers.map((text) => prefixBase(text)))
  const [prefix] = prefixes
  if (prefixes.size > 1 || (prefix !== undefined && from !== undefined && prefix !== from)) return undefined
  const source = from ?? prefix ?? (numbers.every((text) => /[a-f]/i.test(text)) ? 16 : 10)
  const to = targets.length > 0 ? [...new Set(targets)] : source === 10 ? [] : [10]
  if (to.length === 0 || numbers.some((text) => /[.$€£]|th$/.test(text))) return undefined
  return { action: 'base', numbers: numbers.map((text) => text.replaceAll(',', '')), from: source, to }
}

const prefixBase = (text: string): number | undefined =>
  /^0x/i.test(text) ? 16 : /^0b[01]+$/i.test(text) ? 2 : /^0o/i.test(text) ? 8 : undefined

/** `two hundred and five in digits`. */
function readSpelledNumber(request: string): NumeralRequest | undefined {
  const match =
    /^(?:(?:convert|write|what is|whats|change|turn|put) )?(.+?) (?:in|to|into|as) (?:a |an )?(?:digits|numbers?|figures|numerals|numeric form|number form)$/i.exec(
      request,
    )
  const words = match?.[1]?.toLowerCase().replace(/[,-]/g, ' ').split(/\s+/).filter(Boolean) ?? []
  const read = words.length > 0 && !/\d/.test(words.join('')) ? readNumberWords(words) : undefined
  return read && read.count === words.length ? { action: 'from_words', numbers: [String(read.value)] } : undefined
}
