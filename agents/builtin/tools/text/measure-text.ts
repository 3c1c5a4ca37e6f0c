/** Measures of a text beyond its plain counts: averages, extremes and the most frequent words. */
import { isContentWord } from './content-words.ts'
import { listParagraphs, listSentences, listWords } from './segment-text.ts'

export const textMeasures = [
  'letters',
  'lines',
  'unique_words',
  'syllables',
  'words_per_sentence',
  'letters_per_word',
  'words_per_paragraph',
  'longest_word',
  'longest_sentence',
  'shortest_sentence',
  'frequent_words',
  'speaking_time',
] as const
export type TextMeasure = (typeof textMeasures)[number]

const usualTop = 10
/** A usual pace of speeches. */
const spokenWordsPerMinute = 130

type Counts = { readonly letters: number; readonly lines: number; readonly uniqueWords: number; readonly syllables: number }

/** One sentence per measure. `top`: how many frequent words. */
export function measureText(text: string, measures: readonly TextMeasure[], counts: Counts, top: number = usualTop): string[] {
  const words = listWords(text)
  const sentences = listSentences(text)
  const paragraphs = listParagraphs(text)
  const letters = words.reduce((sum, word) => sum + lengthOf(word), 0)
  const name = (n: number, one: string) => `${n.toLocaleString('en-US')} ${n === 1 ? one : `${one}s`}`
  const average = (sum: number, count: number) => (count === 0 ? '0' : String(Number((sum / count).toFixed(2))))
  const sentence = (one: string | undefined) => (one === undefined ? 'none' : `${name(listWords(one).length, 'word')}: “${one}”`)
  const isRanked = measures.includes('longest_sentence') || measures.includes('shortest_sentence')
  const ranked = isRanked ? sentences.map((one) => ({ one, length: listWords(one).length })).sort((a, b) => b.length - a.length) : []
  const sentenceOf: { readonly [measure in TextMeasure]: () => string } = {
    letters: () => `${name(counts.letters, 'letter')}.`,
    lines: () => `${name(counts.lines, 'line')}.`,
    unique_words: () => `${name(counts.uniqueWords, 'different word')}.`,
    syllables: () => `About ${name(counts.syllables, 'syllable')}.`,
    words_per_sentence: () =>
      `Average sentence length: ${average(words.length, sentences.length)} words (${name(words.length, 'word')} in ${name(sentences.length, 'sentence')}).`,
    letters_per_word: () => `Average word length: ${average(letters, words.length)} characters.`,
    words_per_paragraph: () => `Average paragraph length: ${average(words.length, paragraphs.length)} words.`,
    longest_word: () => `Longest word: ${longestOf(words)}.`,
    longest_sentence: () => `Longest sentence: ${sentence(ranked[0]?.one)}`,
    shortest_sentence: () => `Shortest sentence: ${sentence(ranked.at(-1)?.one)}`,
    frequent_words: () => frequentOf(words, top),
    speaking_time: () =>
      `Speaking time about ${minutesOf(words.length / spokenWordsPerMinute)}, at ${spokenWordsPerMinute} words per minute.`,
  }
  return measures.map((measure) => sentenceOf[measure]())
}

const lengthOf = (word: string): number => [...word].length
const minutesOf = (minutes: number): string => (minutes < 1 ? `${Math.max(1, Math.round(minutes * 60))} s` : `${Math.round(minutes)} min`)

function longestOf(words: readonly string[]): string {
  const length = Math.max(0, ...words.slice(0, 100_000).map(lengthOf))
  const longest = [...new Map(words.filter((word) => lengthOf(word) === length).map((word) => [word.toLowerCase(), word])).values()]
  return longest.length === 0 ? 'none' : `${longest.slice(0, 5).join(', ')} (${length} characters)`
}

/** All words, and those that are no common words such as “the”. */
function frequentOf(words: readonly string[], top: number): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
  const sorted = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  const list = (some: readonly (readonly [string, number])[]) => {
    const limit = some[top - 1]?.[1] ?? 0
    // Words with the same count as the last one are named as well, unless there are many.
    const equal = some.filter(([, count], index) => index < top || count === limit)
    const shown = equal.length <= top + 10 ? equal : some.slice(0, top)
    return shown.map(([word, count]) => `${word} ${count}`).join(', ') || 'none'
  }
  const content = sorted.filter(([word]) => isContentWord(word))
  const plain = list(sorted)
  const meaningful = list(content)
  return `Most frequent words: ${plain}.${plain === meaningful ? '' : ` Without common words such as “the”: ${meaningful}.`}`
}
