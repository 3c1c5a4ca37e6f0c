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

/**
 * A word of a query: `text` as the caller wrote it, in lower case; `term` as the index stores it. `parts`: the terms of a word that is
 * written as several ones, such as `QRCode` or `http2`.
 */
export type QueryWord = { readonly text: string; readonly term: string; readonly parts?: readonly string[] }

/** Names that are words with their signs. They become words of letters, in texts and queries alike. */
const signed: readonly (readonly [sign: RegExp, word: string, shown: string])[] = [
  [/(?<![\p{L}\p{N}])c\+\+(?!\+)/giu, ' cplusplus ', 'c++'],
  [/(?<![\p{L}\p{N}])c#/giu, ' csharp ', 'c#'],
  [/(?<![\p{L}\p{N}])f#/giu, ' fsharp ', 'f#'],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/giu, ' dotnet ', '.net'],
]
const mayBeSigned = /[cf][+#]|\.net/i
const shownSigned = new Map(signed.map(([, word, shown]) => [word.trim(), shown]))

function writeSigns(text: string): string {
  return mayBeSigned.test(text) ? signed.reduce((written, [sign, word]) => written.replace(sign, word), text) : text
}

/** The words of a text, in order, with repetitions. */
export function wordsOf(written: string): string[] {
  const text = writeSigns(written)
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

/** Lower-case words between two words in capitals, as in `JSONtoCSV`. */
const joint = /(\p{Lu}{2,})(to|and|or|of|for|from|in|with|vs)(?=\p{Lu})/gu
const maxParts = 4

/** The terms of each word of a text that is written as several ones: with capitals inside, or with a number behind letters. */
function partsByWord(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const run of text.normalize('NFKD').replace(accents, '').match(word) ?? []) {
    const split = run
      .replace(joint, '$1 $2 ')
      .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
      .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
      .replace(/(\p{L})(?=\p{N})/u, '$1 ')
    const parts = split.includes(' ')
      ? wordsOf(split)
          .map(termOf)
          .filter((term) => term !== '')
      : []
    if (parts.length > 1 && parts.length <= maxParts) found.set(run.toLowerCase(), parts)
  }
  return found
}

/** The definite article, which Arabic writes in one word with the noun. */
const arabicArticle = /^ال(?=\p{L}{3})/u

const maxCached = 300_000
/** Stop words have the empty term. */
const known = new Map<string, string>()

/** The term of a word; empty for a stop word. English inflections share a term; words with digits or other letters are their own term. */
export function termOf(text: string): string {
  const cached = known.get(text)
  if (cached !== undefined) return cached
  const term = stopWords.has(text) ? '' : text.length > 2 && /^[a-z]+$/.test(text) ? stemmer(text) : text.replace(arabicArticle, '')
  if (known.size >= maxCached) known.clear()
  known.set(text, term)
  return term
}

export const maxQueryWords = 24

/** The words of a query, each term once, without stop words unless there are no others. */
export function queryWords(text: string): QueryWord[] {
  const all = wordsOf(text)
  const contentWords = all.filter((one) => termOf(one) !== '')
  const parts = partsByWord(text)
  const seen = new Set<string>()
  const words: QueryWord[] = []
  for (const one of contentWords.length > 0 ? contentWords : all) {
    const term = termOf(one) || one
    if (seen.has(term)) continue
    seen.add(term)
    words.push({ text: shownSigned.get(one) ?? one, term, ...(parts.has(one) && { parts: parts.get(one) ?? [] }) })
  }
  return words.slice(0, maxQueryWords)
}
