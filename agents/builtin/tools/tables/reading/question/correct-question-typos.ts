/** Corrects typing errors in the words of questions, and writes short forms in full. Names of columns and cells stay. */

import { wordsOfName } from '../words/read-question-words.ts'
import { isStopWord } from '../words/stop-words.ts'
import { isTypingError } from '../words/typing-errors.ts'
import type { ReadTableContext } from './question-reading.ts'

const vocabulary =
  'average averages median maximum minimum monthly weekly yearly quarterly highest lowest largest smallest biggest cheapest expensive number correlation percentage difference duplicates duplicate missing between without ignore ignoring exclude excluding include counted grouped sorted ascending descending standard deviation compare outliers chart'.split(
    ' ',
  )
const known = new Set([...vocabulary, 'counter', 'counties', 'averaged', 'excluded', 'included', 'ignored', 'charts', 'charge', 'numbers'])

const aggregate = 'average|avg|mean|median|max|maximum|min|minimum|sum|total|count'
const shortForms: readonly (readonly [RegExp, string])[] = [
  [/\bwhats\b/gi, "what's"],
  [
    new RegExp(
      String.raw`\b(${aggregate})s?\s*(?:\+|&|\/|,\s*(?=(?:${aggregate})s?\s*(?:[+&/]|and\b|,)))\s*(?=(?:${aggregate})s?\b)`,
      'gi',
    ),
    '$1 and ',
  ],
  [/\s&\s/g, ' and '],
  [
    /\bwhat (?=(?:did|do|does|has|have) (?:each|every|all|the|our|my|we|i|they|\w+) [^.?!,]{0,60}\b(?:spend|spent|pay|paid|earn|earned|make|made|took|take|owe)\b)/gi,
    'how much ',
  ],
  [/\bwhere (?:did )?(?:all )?(?:my|our|the) money (?:go|went)\b/gi, 'how much was spent'],
]

/** The question with known words in place of misspelled ones. */
export function correctQuestionTypos(question: string, { table, cells }: ReadTableContext): string {
  const time = table.columns.find(({ kind }) => kind === 'time')
  const plain = shortForms
    .reduce((text, [pattern, full]) => text.replace(pattern, full), question)
    .replace(/,? \(?(?:(newest|latest|most recent)|oldest|earliest) (?:ones? )?first\)?/gi, (whole, newest?: string) =>
      time ? ` sorted by ${time.name} ${newest === undefined ? 'ascending' : 'descending'}` : whole,
    )
  const names = new Set(table.columns.flatMap(({ name }) => wordsOfName(name)))
  return plain.replace(/(["“«`][^"”»`]{0,200}["”»`])|(?<![\p{L}\p{N}_.@-])[a-z]{5,20}(?![\p{L}\p{N}_@])/gu, (word, quoted?: string) => {
    if (quoted !== undefined || known.has(word) || isStopWord(word) || names.has(word) || cells.has(word)) return word
    if (names.has(word.replace(/s$/, '')) || names.has(`${word}s`)) return word
    return vocabulary.find((one) => one.length >= 6 && isTypingError(word, one, 1)) ?? word
  })
}
