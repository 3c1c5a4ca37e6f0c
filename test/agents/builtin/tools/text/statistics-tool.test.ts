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
    ['Count how many times each word appears: "red blue red green blue red"', /^Most frequent words: red 3, blue 2, green 1\./],
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

  const label =
    'The kiln you see here was built in 1782. Workers filled it with wet bricks and sealed the door with clay. Then they lit a fire underneath and kept it burning for nine days and nights. When the bricks had cooled, carts carried them down to the river. Most of the old town was built from bricks made in this kiln.'
  const scores = 'Flesch reading ease 97.4 (very easy); Flesch-Kincaid grade 2.7; for readers from about 8 years'
  it.each([
    [
      "I write labels for a museum and the board says they're too hard for kids. So here's the newest one, would a 12 year old be able to read this? I'd like some sort of score I can wave at them.",
      `${scores}, so yes, by this score a reader of 12 years can read it.`,
    ],
    ['Is this easy enough for 7 year olds?', `${scores}, so no, by this score a reader of 7 years will probably not read it.`],
    ['which school grade is this for? it is for our website', `${scores}. (61 words, 12.2 words per sentence`],
    ['is it suitable for 4th graders', `${scores}, so yes, by this score a reader of 9 years can read it.`],
  ])('rates the text for %s', async (text, answer) => {
    expect(await askTextTools(`${text}\n\n${label}`)).toContain(`text.statistics: Readability: ${answer}`)
  })

  it('rates German by German formulas, and other languages not at all', async () => {
    const german =
      'Das Dach des Vereinsheims ist undicht. Die Reparatur des Daches kostet laut Angebot 7.400 Euro. Die Versammlung beschließt die Reparatur. Das Sommerfest findet am 12. Juli statt. Für das Sommerfest werden noch Helfer am Grill gesucht.'
    expect(await askTextTools('how readable is this text, which school year?', german)).toMatch(
      /Readability: Flesch reading ease for German \(Amstad\) \d+\.\d \([a-z ]+\); Vienna formula, school year \d/,
    )
    const portuguese =
      'Olá vizinhos! No próximo sábado vamos fazer uma pequena festa no jardim. A música vai acabar às onze da noite. Se o barulho incomodar, por favor batam à porta. Estão todos convidados para a nossa festa.'
    expect(await askTextTools('readability?', portuguese)).toMatch(/for English and German texts only/)
  })

  it.each(['would a 12 year old like this?', 'make this easier to read for a 12 year old', 'please number all the sentences'])(
    'does not read %s',
    async (text) => {
      expect(await askTextTools(`${text}\n\n${label}`)).not.toMatch(/^text\.statistics/)
    },
  )
})
