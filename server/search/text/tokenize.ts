/** Splits text into search terms: lower case, without accents, stemmed. */
import { stemmer } from 'stemmer'

const maxWordLength = 40
const asciiWord = /[a-z0-9]+/g
const word = /[\p{L}\p{N}]+/gu
const accents = /\p{M}+/gu
/** Scripts without spaces between words. Their terms are pairs of characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const isAscii = /^[\x20-\x7e\s]*$/

const stopWords = new Set(
  `a about all also an and any are as at be been but by can could do does for from get give has have how i if in into is it its
  just know let like make me more my need of on or our please should some that the their them then there these they this to us
  want was we what when where which who will with would you your`.split(/\s+/),
)

/** A word of a query: `text` as the caller wrote it, in lower case; `term` as the index stores it. */
export type QueryWord = { readonly text: string; readonly term: string }

/** The words of a text, in order, with repetitions. */
export function wordsOf(text: string): string[] {
  if (isAscii.test(text)) {
    const words = text.toLowerCase().match(asciiWord) ?? []
    return words.some((one) => one.length > maxWordLength) ? words.map((one) => one.slice(0, maxWordLength)) : words
  }
  const lower = text.normalize('NFKD').replace(accents, '').toLowerCase().normalize('NFKC')
  const words = lower.match(word) ?? []
  return words.flatMap((one) => (unspaced.test(one) ? pairsOf(one) : [one.slice(0, maxWordLength)]))
}

function pairsOf(run: string): string[] {
  const letters = [...run].slice(0, 400)
  if (letters.length < 3) return [run]
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`)
}

const maxCached = 300_000
/** Stop words have the empty term. */
const known = new Map<string, string>()

/** The term of a word; empty for a stop word. English inflections share a term; words with digits or other letters are their own term. */
export function termOf(text: string): string {
  const cached = known.get(text)
  if (cached !== undefined) return cached
  const term = stopWords.has(text) ? '' : text.length > 2 && /^[a-z]+$/.test(text) ? stemmer(text) : text
  if (known.size >= maxCached) known.clear()
  known.set(text, term)
  return term
}

export const maxQueryWords = 24

/** The words of a query, each term once, without stop words unless there are no others. */
export function queryWords(text: string): QueryWord[] {
  const all = wordsOf(text)
  const contentWords = all.filter((one) => termOf(one) !== '')
  const seen = new Set<string>()
  const words: QueryWord[] = []
  for (const one of contentWords.length > 0 ? contentWords : all) {
    const term = termOf(one) || one
    if (seen.has(term)) continue
    seen.add(term)
    words.push({ text: one, term })
  }
  return words.slice(0, maxQueryWords)
}
