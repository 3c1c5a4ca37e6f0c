/** `text.statistics`: counts words, sentences and characters, and measures how readable a text is. */
import { requireData, type SkillRequest, type SkillResponse } from '../../skill.ts'
import type { Tool, ToolGoal, ToolReading, ToolSkill } from '../tool.ts'
import { isContentWord } from './content-words.ts'
import { measureText, textMeasures } from './measure-text.ts'
import { readStatisticsRequest } from './read-statistics-request.ts'
import { describeReadability, readabilityOf, readingLevel, syllablesOf } from './readability.ts'
import { listParagraphs, listSentences, listWords } from './segment-text.ts'
import { readTextGoal, readTextRequest, requireMaterial, textPorts } from './text-request.ts'

const type = 'query.text_statistics'
const skill: ToolSkill = {
  id: 'text.statistics',
  name: 'Count words and measure readability',
  description:
    'Words, characters, sentences, paragraphs, reading time, readability (Flesch, school year and age of readers, for English and German) and the most frequent words of a text.',
  inputs: textPorts(type, 'The text, and what is measured beside words, characters, sentences and reading time.', {
    measures: { type: 'array', items: { enum: textMeasures }, maxItems: textMeasures.length, description: 'Named in the answer.' },
    top: { type: 'integer', minimum: 1, maximum: 100, description: 'How many frequent words; 10 if left out.' },
    readability: { type: 'boolean', description: 'Whether the school year and the age of readers are asked for.' },
    age: { type: 'integer', minimum: 1, maximum: 120, description: 'The age of the reader that is meant.' },
  }),
  outputs: [{ name: 'statistics', type: 'text.statistics', description: 'All counts, as Markdown.', optional: false }],
  price: '100000',
  tags: ['word count', 'characters', 'sentences', 'readability', 'reading time', 'flesch', 'text'],
  samples: [
    {
      title: 'One sentence',
      input: { text: 'The cat sat on the mat.' },
      output: '6 words, 23 characters (18 without spaces), 1 sentence, 1 paragraph.',
    },
  ],
}

function readGoal(goal: ToolGoal): ToolReading {
  const request = readTextRequest(goal)
  const requested = request && readStatisticsRequest(request)
  if (!requested) return undefined
  const options = {
    ...(requested.isRated && { readability: true }),
    ...(requested.age !== undefined && { age: requested.age }),
    ...(requested.measures.length > 0 && { measures: [...requested.measures] }),
    ...(requested.top !== undefined && { top: requested.top }),
  }
  return readTextGoal(request, options, 'I count the words, sentences and characters of the text and measure how readable it is.')
}

export type TextStatistics = {
  readonly words: number
  readonly uniqueWords: number
  readonly characters: number
  readonly charactersWithoutSpaces: number
  readonly letters: number
  readonly sentences: number
  readonly paragraphs: number
  readonly lines: number
  readonly syllables: number
  /** The most frequent content words, with their counts. */
  readonly frequent: readonly (readonly [string, number])[]
}

export function textStatisticsOf(text: string): TextStatistics {
  const words = listWords(text)
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
  const content = [...counts].filter(([word]) => isContentWord(word)).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
  // Characters as people count them: code points.
  const characters = [...text].length
  return {
    words: words.length,
    uniqueWords: counts.size,
    characters,
    charactersWithoutSpaces: [...text.replace(/\s/gu, '')].length,
    letters: text.match(/\p{L}/gu)?.length ?? 0,
    sentences: listSentences(text).length,
    paragraphs: listParagraphs(text).length,
    lines: text.replace(/\n$/, '').split('\n').length,
    syllables: words.reduce((sum, word) => sum + syllablesOf(word), 0),
    frequent: content.slice(0, 10),
  }
}

/** The average speed of silent reading in English (Brysbaert 2019). */
const wordsPerMinute = 238

const count = (n: number, one: string): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : `${one}s`}`

function run(work: SkillRequest): SkillResponse {
  const text = requireMaterial(work, type)
  const found = textStatisticsOf(text)
  const readability = readabilityOf(text)
  const minutes = found.words / wordsPerMinute
  const time = minutes < 1 ? `${Math.max(1, Math.round(minutes * 60))} s` : `${Math.round(minutes)} min`
  const head = `${count(found.words, 'word')}, ${count(found.characters, 'character')} (${found.charactersWithoutSpaces.toLocaleString('en-US')} without spaces), ${count(found.sentences, 'sentence')}, ${count(found.paragraphs, 'paragraph')}.`
  const readable = readability ? ` ${readability.easeName} ${readability.ease.toFixed(1)} (${readingLevel(readability.ease)}).` : ''
  const rows = [
    ['Words', found.words],
    ['Different words', found.uniqueWords],
    ['Characters', found.characters],
    ['Characters without spaces', found.charactersWithoutSpaces],
    ['Letters', found.letters],
    ['Sentences', found.sentences],
    ['Paragraphs', found.paragraphs],
    ['Lines', found.lines],
  ] as const
  const table = rows.map(([name, value]) => `| ${name} | ${value.toLocaleString('en-US')} |`).join('\n')
  const frequent = found.frequent.map(([word, times]) => `- ${word.replace(/[\\`*_[\]<>|#]/g, '\\$&')}: ${times}`).join('\n')
  const { measures, top, age, readability: isRated } = requireData(work, type)
  const asked = Array.isArray(measures) ? measures.flatMap((one) => textMeasures.find((known) => known === one) ?? []) : []
  const more = measureText(text, asked, found, typeof top === 'number' && top >= 1 ? Math.min(100, top) : undefined)
  if (isRated === true) more.unshift(describeReadability(text, typeof age === 'number' && age >= 1 ? age : undefined))
  const markdown = `# Text statistics\n\n${more.map((one) => `${one}\n\n`).join('')}| Count | Value |\n| --- | ---: |\n${table}\n\nReading time: about ${time}, at ${wordsPerMinute} words per minute.${readable}\n\n## Most frequent words\n\n${frequent || 'None.'}\n\nWords and sentences are found by the rules of Unicode (UAX #29). Syllables are estimated, so the readability is approximate. Its formulas are for English and German.\n`
  const answer = more.length === 0 ? '' : `${more.join('\n')}\n`
  return {
    outputs: [{ name: 'statistics.md', media_type: 'text/markdown', artifact_type: 'text.statistics', text: markdown }],
    text: `${answer}${head} Reading time about ${time}.${readable}`,
  }
}

export const textStatisticsTool: Tool = { skill, readGoal, run }
