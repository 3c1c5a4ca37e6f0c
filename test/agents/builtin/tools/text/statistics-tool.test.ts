import { describe, expect, it } from 'vitest'
import { measureText } from '../../../../../agents/builtin/tools/text/measure-text.ts'
import { askTextTools } from './ask-text-tools.ts'

const stove = 'The cat sat. It was warm there, near the stove. Nobody came!'
const essay = `${stove}\nThe end of the cat.\n`

describe('text.statistics', () => {
  it.each([
    [
      `How many words and sentences are in this text? And what is the average sentence length?\n\n${stove}`,
      /^Average sentence length: 4 words \(12 words in 3 sentences\)\.\n12 words, 60 characters/,
    ],
    [`how long is this text: ${stove}`, /^12 words, 60 characters \(49 without spaces\), 3 sentences/],
    [`Count words, unique words and characters without spaces:\n${stove}`, /^11 different words\.\n12 words/],
    [`I need to know how many characters (with spaces) this has:\n\n${stove}`, /60 characters/],
    ['count words:\n\nHe said "hello" and left.', /^5 words/],
  ])('reads pasted text in %s', async (text, answer) => {
    expect((await askTextTools(text)).replace(/^text\.statistics: /, '')).toMatch(answer)
  })

  it.each([
    ['whats the word count of 0.txt', /^17 words/],
    ['How many lines does the file have?', /^2 lines\.\n/],
    ['What is the most common word in the text?', /^Most frequent words: the 4\. Without common words such as “the”: cat 2\.\n/],
    ['top 2 most used words', /^Most frequent words: the 4, cat 2\./],
    [
      'longest sentence and longest word please',
      /^Longest sentence: 7 words: “It was warm there, near the stove\.”\nLongest word: Nobody \(6 characters\)\./,
    ],
    ['how long would it take to read this aloud', /^Speaking time about 8 s, at 130 words per minute\./],
    ['Hi, can you please count the words in my essay? I need it for school.', /^17 words/],
    ['How many words per sentence on average?', /^Average sentence length: 4\.25 words/],
    ['reading time?', /Reading time about/],
  ])('reads an attached file for %s', async (text, answer) => {
    expect((await askTextTools(text, essay)).replace(/^text\.statistics: /, '')).toMatch(answer)
  })

  it.each([
    'how many people are in the text?',
    'is the text well written?',
    'how many words are in the second paragraph?',
    'how many words start with a?',
    'Count the sentences with the word cat',
    'How many words is it, and are there any spelling mistakes?',
    'How many words would it have in German?',
  ])('does not take %s', async (text) => {
    expect(await askTextTools(text, essay)).toBe('not taken')
  })

  it('measures an empty text without an error', () => {
    const counts = { letters: 0, lines: 0, uniqueWords: 0, syllables: 0 }
    expect(measureText(' ', ['words_per_sentence', 'longest_word', 'frequent_words'], counts)).toEqual([
      'Average sentence length: 0 words (0 words in 0 sentences).',
      'Longest word: none.',
      'Most frequent words: none.',
    ])
  })
})
