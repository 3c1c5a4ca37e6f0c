/** How readable a text is, by formulas that were fitted to English and German. */
import { eld } from 'eld/small'
import { listSentences, listWords } from './segment-text.ts'

export type Readability = {
  /** From about 0 (hard) to 100 (easy). */
  readonly ease: number
  /** The school year that the text needs. */
  readonly grade: number
  readonly easeName: string
  readonly gradeName: string
}

/** The formulas were fitted to passages of about 100 words. */
const minWords = 30
/** Children are about this much older than their school year. */
const ageAtSchoolYearZero = 5

/** An estimate by groups of vowels, as the Flesch formula is usually computed. */
export function syllablesOf(word: string): number {
  const plain = word.toLowerCase().replace(/[^a-z]/g, '')
  if (plain.length <= 3) return 1
  const groups = plain
    .replace(/(?:[^laeiouy]es|[^laeiouytd]ed|[^laeiouy]e)$/, '')
    .replace(/^y/, '')
    .match(/[aeiouy]{1,2}/g)
  return Math.max(1, groups?.length ?? 1)
}

/** German writes nearly every syllable with one vowel or diphthong. */
const germanSyllablesOf = (word: string): number =>
  Math.max(1, word.toLowerCase().match(/aa|ee|oo|ie|ei|ai|au|äu|eu|[aeiouyäöü]/g)?.length ?? 1)

type Lengths = { readonly words: readonly string[]; readonly perSentence: number; readonly syllables: readonly number[] }

function lengthsOf(text: string, count: (word: string) => number): Lengths {
  const words = listWords(text)
  return { words, perSentence: words.length / Math.max(1, listSentences(text).length), syllables: words.map(count) }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

function readEnglish(text: string): Readability {
  const { words, perSentence, syllables } = lengthsOf(text, syllablesOf)
  const perWord = sum(syllables) / words.length
  return {
    ease: 206.835 - 1.015 * perSentence - 84.6 * perWord,
    grade: 0.39 * perSentence + 11.8 * perWord - 15.59,
    easeName: 'Flesch reading ease',
    gradeName: 'Flesch-Kincaid grade',
  }
}

/** Flesch by Amstad (1978), and the first Vienna formula (Bamberger and Vanecek 1984). */
function readGerman(text: string): Readability {
  const { words, perSentence, syllables } = lengthsOf(text, germanSyllablesOf)
  const share = (test: (index: number) => boolean) => (100 * words.filter((_, index) => test(index)).length) / words.length
  const long = share((index) => (syllables[index] ?? 0) >= 3)
  const wide = share((index) => [...(words[index] ?? '')].length > 6)
  const single = share((index) => syllables[index] === 1)
  return {
    ease: 180 - perSentence - 58.5 * (sum(syllables) / words.length),
    grade: 0.1935 * long + 0.1672 * perSentence + 0.1297 * wide - 0.0327 * single - 0.875,
    easeName: 'Flesch reading ease for German (Amstad)',
    gradeName: 'Vienna formula, school year',
  }
}

/** Undefined for short texts and for languages without a formula here. */
export function readabilityOf(text: string): Readability | undefined {
  if (listWords(text).length < minWords || !/^[\p{Script=Latin}\P{L}]*$/u.test(text)) return undefined
  const { language, isReliable } = eld.detect(text.slice(0, 5_000))
  if (language === 'de') return readGerman(text)
  return language === 'en' || !isReliable() ? readEnglish(text) : undefined
}

const levels: readonly (readonly [number, string])[] = [
  [90, 'very easy'],
  [80, 'easy'],
  [70, 'fairly easy'],
  [60, 'plain'],
  [50, 'fairly difficult'],
  [30, 'difficult'],
  [Number.NEGATIVE_INFINITY, 'very difficult'],
]

export const readingLevel = (ease: number): string => levels.find(([min]) => ease >= min)?.[1] ?? ''

/** The scores and the age of a reader, perhaps compared with a given age. */
export function describeReadability(text: string, age: number | undefined): string {
  const found = readabilityOf(text)
  if (!found)
    return listWords(text).length < minWords
      ? `Readability: the text has fewer than ${minWords} words, which are too few for a score.`
      : 'Readability: there is a formula here for English and German texts only.'
  const { ease, grade, easeName, gradeName } = found
  const needed = Math.max(6, Math.round(grade) + ageAtSchoolYearZero)
  const fits =
    age === undefined
      ? ''
      : `, so ${age >= needed ? 'yes' : 'no'}, by this score a reader of ${age} years ${age >= needed ? 'can' : 'will probably not'} read it`
  const { words, perSentence } = lengthsOf(text, syllablesOf)
  const length = `${words.length.toLocaleString('en-US')} words, ${Number(perSentence.toFixed(1))} words per sentence`
  return `Readability: ${easeName} ${ease.toFixed(1)} (${readingLevel(ease)}); ${gradeName} ${Math.max(0, grade).toFixed(1)}; for readers from about ${needed} years${fits}. (${length}; the score counts lengths only and knows nothing of the subject.)`
}
