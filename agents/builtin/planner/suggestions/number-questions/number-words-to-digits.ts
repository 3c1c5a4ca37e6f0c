/** Writes numbers that stand as words in five languages with digits: “zweiundzwanzig” as `22`, “twelve and a half” as `12.5`. */
import { foldCaseAndAccents } from '../fold-case-and-accents.ts'

/** `add` stands alone or behind a larger one, `hundred` and `thousand` multiply. */
type Part = { readonly kind: 'add' | 'hundred' | 'thousand'; readonly value: number }

const parts = new Map<string, Part>()
const list = (words: string, from: number, step = 1): void =>
  words.split(' ').forEach((word, index) => {
    parts.set(word, { kind: 'add', value: from + index * step })
  })
list('one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 1)
list('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10)
list('ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn', 1)
list('zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig', 20, 10)
list('un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf', 1)
list('vingt trente quarante cinquante soixante septante', 20, 10)
list('soixante-dix soixante-et-onze soixante-douze soixante-treize soixante-quatorze soixante-quinze soixante-seize', 70)
list('quatre-vingt-dix quatre-vingt-onze quatre-vingt-douze quatre-vingt-treize quatre-vingt-quatorze quatre-vingt-quinze', 90)
list('uno dos tres cuatro cinco seis siete ocho nueve diez', 1)
list('doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro', 12)
list('veinticinco veintiseis veintisiete veintiocho veintinueve treinta', 25)
list('cuarenta cincuenta sesenta setenta ochenta noventa cien', 40, 10)
list('doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos', 200, 100)
for (const [word, value] of [
  ['quatre-vingt', 80],
  ['quatre-vingts', 80],
  ['dreißig', 30],
  ['eine', 1],
  ['une', 1],
  ['una', 1],
  ['eins', 1],
  ['dozen', 12],
] as const)
  parts.set(word, { kind: 'add', value })
parts.set('ciento', { kind: 'add', value: 100 })
for (const word of ['hundred', 'hundert']) parts.set(word, { kind: 'hundred', value: 100 })
for (const word of ['thousand', 'tausend', 'mille', 'mil']) parts.set(word, { kind: 'thousand', value: 1_000 })

/** Words that are something else as well, so that they are numbers only beside another number word. */
const dependent = new Set('cent cents hundred thousand hundert tausend'.split(' '))
/** Multiples that are numbers alone. */
const isAlone = new Set('mil mille'.split(' '))
/** Words that are no numbers alone: articles, and pronouns. */
const articles = new Set('un ein uno'.split(' '))

const germanUnit: { readonly [word: string]: number } = {
  ...{ ein: 1, eins: 1, zwei: 2, drei: 3, vier: 4, funf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9 },
}

/** `zweihundertfunfzig`, without capitals and accents. */
function germanValue(word: string): number | undefined {
  const thousand = splitAt(word, 'tausend', 1_000)
  if (thousand !== undefined) return thousand
  const hundred = splitAt(word, 'hundert', 100)
  if (hundred !== undefined) return hundred
  const known = parts.get(word)
  if (known?.kind === 'add') return known.value
  const [, unit = '', ten = ''] = /^(\p{L}+?)und(\p{L}+)$/u.exec(word) ?? []
  const tens = parts.get(ten)?.value
  const ones = Object.hasOwn(germanUnit, unit) ? germanUnit[unit] : undefined
  return tens !== undefined && tens >= 20 && tens < 100 && ones !== undefined ? tens + ones : undefined
}

function splitAt(word: string, mark: string, factor: number): number | undefined {
  const at = word.indexOf(mark)
  if (at < 0) return undefined
  const before = word.slice(0, at)
  const after = word.slice(at + mark.length).replace(/^und/, '')
  const times = before === '' ? 1 : germanValue(before)
  const rest = after === '' ? 0 : germanValue(after)
  return times === undefined || rest === undefined || (before === '' && after === '') ? undefined : times * factor + rest
}

const maxWordLength = 40

/** `22` of a single word, and the half of “anderthalb”. */
function wordValue(word: string): Part | undefined {
  if (word === 'anderthalb' || word === 'anderthalbe' || word === 'eineinhalb') return { kind: 'add', value: 1.5 }
  const known = parts.get(word)
  if (known) return known
  const half = /^(\p{L}+)einhalb$/u.exec(word)?.[1]
  const halved = half === undefined ? undefined : germanUnit[half]
  if (halved !== undefined) return { kind: 'add', value: halved + 0.5 }
  const joined = word.split('-')
  if (joined.length > 1) {
    const values = joined.filter((one) => one !== 'et' && one !== 'and').map((one) => parts.get(one))
    const isNumber = values.every((one) => one?.kind === 'add') && (values[0]?.value ?? 0) >= 20 && (values[0]?.value ?? 0) % 10 === 0
    return isNumber && values.length === 2 ? { kind: 'add', value: values.reduce((sum, one) => sum + (one?.value ?? 0), 0) } : undefined
  }
  const german = word.length > maxWordLength ? undefined : germanValue(word)
  return german === undefined ? undefined : { kind: 'add', value: german }
}

type Word = { readonly plain: string; readonly start: number; readonly end: number }

/** The number that begins at a word, and the last word of it. */
function numberAt(words: readonly Word[], start: number, text: string): { readonly value: number; readonly last: number } | undefined {
  let [total, group, last, count] = [0, 0, -1, 0]
  for (let at = start; at < words.length; at++) {
    const { plain, start: from } = words[at] as Word
    const isNext = at === start || /^[\s-]*$/.test(text.slice(words[at - 1]?.end, from))
    if (!isNext) break
    const isAnd = at > start && /^(?:and|und|et|y)$/.test(plain)
    const next = words[at + 1]
    if (isAnd && next && /^(?:half|demie?|medi[oa])$/.test(next.plain)) return { value: total + group + 0.5, last: at + 1 }
    if (isAnd && next?.plain === 'a' && words[at + 2]?.plain === 'half') return { value: total + group + 0.5, last: at + 2 }
    const following = isAnd ? next && wordValue(next.plain) : undefined
    if (isAnd && following?.kind === 'add' && joins(group, total, following.value)) continue
    if (at > start && /^cents?$/.test(plain) && count > 0 && group > 0 && group < 10) {
      group *= 100
      ;[last, count] = [at, count + 1]
      continue
    }
    const part = at === start && dependent.has(plain) && plain !== 'hundred' && plain !== 'thousand' ? undefined : wordValue(plain)
    if (!part || (at === start && part.kind !== 'add' && !isAlone.has(plain) && !isArticleBefore(words[at - 1]))) break
    if (/^(?:cien(?:to)?)$/.test(plain) && words[at - 1]?.plain === 'por') break
    if (part.kind === 'add') {
      if (at > start && !joins(group, total, part.value)) break
      group += part.value
    } else if (part.kind === 'hundred') group = Math.max(group, 1) * 100
    else [total, group] = [total + Math.max(group, 1) * 1_000, 0]
    ;[last, count] = [at, count + 1]
  }
  return last < 0 ? undefined : { value: total + group, last }
}

const isArticleBefore = (word: Word | undefined): boolean => word?.plain === 'a' || word?.plain === 'one'

/** “twenty five” is one number, “five twenty” are two. */
function joins(group: number, total: number, value: number): boolean {
  if (value % 1 !== 0) return false
  if (group === 0) return total > 0 && value < 1_000
  if (group % 100 === 0) return value < 100
  return group % 10 === 0 && group % 100 >= 20 && value < (group % 100 === 60 || group % 100 === 80 ? 20 : 10)
}

const word = /\p{L}+(?:-\p{L}+)*/gu

/** The text with digits in the place of number words. Articles stay. Linear in the length of the text. */
export function numberWordsToDigits(text: string): string {
  const words = [...text.matchAll(word)].map(
    ({ 0: wording, index }): Word => ({ plain: foldCaseAndAccents(wording), start: index, end: index + wording.length }),
  )
  let [out, end] = ['', 0]
  for (let at = 0; at < words.length; at++) {
    const found = numberAt(words, at, text)
    const first = words[at] as Word
    if (!found || (found.last === at && articles.has(first.plain))) continue
    out += text.slice(end, first.start) + String(found.value)
    end = words[found.last]?.end ?? end
    at = found.last
  }
  return (out + text.slice(end)).replace(/(\d+) (?:and|et|y) (?:a )?(?:half|demie?|medi[oa])(?!\p{L})/giu, '$1.5')
}

/** `1.250,50` and `94,50` as English writes them. A list such as `1,2,3` stays. */
export const withDecimalPoints = (text: string): string =>
  text
    .replace(
      /(?<![\d.,])(\d{1,3}(?:[.\u00a0\u202f’]\d{3})+),(\d{1,2})(?![\d,])/g,
      (_, whole: string, rest: string) => `${whole.replace(/\D/g, '')}.${rest}`,
    )
    .replace(/(?<![\d.,])(\d+),(\d{1,2})(?![\d,.])/g, '$1.$2')
