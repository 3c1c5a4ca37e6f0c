import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SkillRefused } from '../../../../../agents/builtin/skill.ts'
import { splitSentences } from '../../../../../agents/builtin/tools/numbers/split-sentences.ts'
import { findEntities } from '../../../../../agents/builtin/tools/text/find-entities.ts'
import { textTools } from '../../../../../agents/builtin/tools/text/index.ts'
import { measureText } from '../../../../../agents/builtin/tools/text/measure-text.ts'
import { listSentences, listWords } from '../../../../../agents/builtin/tools/text/segment-text.ts'
import { operations, transformText } from '../../../../../agents/builtin/tools/text/transform-text.ts'
import { askTextTools } from './ask-text-tools.ts'

const notes = 'Please call me. I was here on 3 May 2027. Call +49 30 1234567 now. It costs $20.\n'
describe.each(textTools)('$skill.id', ({ skill, run }) => {
  it('gives the answers of its samples', async () => {
    for (const { input, output } of skill.samples) {
      const { text } = await run({ inputs: [{ port: 'query', type: skill.inputs[0]?.type ?? '', data: input as never }] })
      expect(text).toContain(output)
    }
  })
})

describe('the text tools', () => {
  it.each([
    ['Count the words in "The quick brown fox jumps over the lazy dog."', /^text\.statistics: 9 words, 44 characters/],
    ['HOW MANY WORDS ARE IN "a b c"', /3 words/],
    ['how many characters does the following sentence have? "Hello, wörld!"', /13 characters \(12 without spaces\)/],
    ['Word count please: one two three four', /4 words/],
    ['give me the word count of "one two"', /2 words/],
    ['Extract all email addresses from "Write to a@b.org, or c.d@e.co.uk. Thanks"', /2 e-mail addresses: a@b\.org; c\.d@e\.co\.uk\.$/],
    ['find all dates in this text: "We met on 3 May 2027 and on 2026-01-02; see you May 5th"', /3 dates: 3 May 2027; 2026-01-02; May 5th/],
    [
      'Extract the amounts of money from: It costs $1,200.50 or 900 EUR, maybe 3 million dollars.',
      /\$1,200\.50; 900 EUR; 3 million dollars/,
    ],
    ['Pull out the links: see https://a.b/c and www.d.e', /2 links: https:\/\/a\.b\/c; www\.d\.e/],
    [
      'Redact personal data in "Call Ann at +1 (415) 555-2671 or ann@x.org, IBAN DE89 3704 0044 0532 0130 00"',
      /Call Ann at \[PHONE\] or \[EMAIL\], IBAN \[IBAN\]$/,
    ],
    ['hide the phone numbers in "call 0151 23456789"', /call \[PHONE\]$/],
    [
      'Summarize this text in two sentences: "Alpha is a company. It makes tea and coffee. The tea is green. Many people buy the tea of Alpha. The company has ten shops. All shops sell tea."',
      /^text\.summary: .*tea/,
    ],
    ['Summarize: short.', 'text.summary asks'],
    ['Compare "The cat sat on the mat" with "The dog sat on a mat"', 'text.compare: 2 words removed and 2 added: −cat; −the; +dog; +a.'],
    ['Are these two texts identical: "abc def ghi" and "abc def ghi"?', /not taken|identical/],
    ['Sort these names alphabetically: Zoe, adam, Émile, Bob', 'text.lines: adam, Bob, Émile, Zoe'],
    ['Sort these numbers from largest to smallest: 3, 11, 2', 'text.lines: 11, 3, 2'],
    ['Remove duplicate lines: a\nb\na\nc', 'text.lines: a\nb\nc\nRemoved 1 duplicate.'],
    ['Make "the lord of the rings" title case', 'text.transform: The Lord of the Rings'],
    ['Base64 encode "hello"', 'text.transform: aGVsbG8='],
    ['Decode this base64: aGVsbG8gd29ybGQ=', 'text.transform: hello world'],
    ['Decode this base64: not base64 at all!', /refuses: The text is no Base64/],
    ['SHA-256 of "abc"', `text.transform: ${createHash('sha256').update('abc').digest('hex')}`],
    ['Reverse the string "abc" and convert it to uppercase', 'text.transform: CBA'],
    ['make a slug for "10 Tips für schöne URLs!"', 'text.transform: 10-tips-fur-schone-urls'],
    ['Replace "cat" with "dog" in "The cat saw another cat in the catalogue"', 'text.transform: The dog saw another dog in the catalogue'],
    ['how many times does the word "tea" appear in "Tea, tea and TEA."?', 'text.transform: “tea” occurs 3 times.'],
    [
      'found this on our door, what language is it? no translation needed just the language so i know who to ask\n\nOlá vizinhos! No próximo sábado vamos fazer uma pequena festa no jardim.',
      'text.language: The text is in Portuguese (pt).',
    ],
    ['What language is "Guten Morgen, wie geht es Ihnen heute?"', 'text.language: The text is in German (de).'],
    ['Which language is this written in: Je ne sais pas ce que tu veux dire', /French \(fr\)/],
    [
      'Extract keywords from "Solar power is growing. Solar power plants need storage. Storage for solar power is expensive."',
      /^text\.keywords: Key phrases: solar power/i,
    ],
    ['count words', 'text.statistics asks'],
  ])('do %s', async (text, answer) => {
    expect(await askTextTools(text)).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : answer)
  })

  it.each([
    ['What is the reading level of the attached document?', /\n18 words/],
    ['List every URL and phone number in the attached file', /no links and 1 telephone number: \+49 30 1234567/],
    ['Please anonymize the attached text', /Call \[PHONE\] now/],
    ['Find the differences between the two attached files', 'text.compare asks'],
  ])('read the attached file for %s', async (text, answer) => {
    expect(await askTextTools(text, notes)).toEqual(answer instanceof RegExp ? expect.stringMatching(answer) : answer)
  })

  it('compare two attached files', async () => {
    expect(await askTextTools('What changed between the two attached files?', 'a\nb\n', 'a\nc\n')).toBe(
      'text.compare: 1 word removed and 1 added: −b; +c.',
    )
  })

  it.each([
    'How many people live in Berlin?',
    'Find me a cheap hotel in Rome',
    'Extract the table from the website https://example.com',
    'Extract the names of all people from "Ann met Bob"',
    'Remove the background from my photo',
    'Summarise the attached document and translate it into French',
    'Give me a summary of the news',
    'Write a summary of War and Peace',
    'Write a summary of this text in German: "A. B. C. D. E."',
    'What is the difference between "affect" and "effect"?',
    "What's the difference between TCP and UDP?",
    'Compare Apple and Amazon',
    'Sort my inbox',
    'Translate "hello" to German',
    'What is the language spoken in Brazil?',
    'Encrypt "hello" with AES',
    'Count to ten',
    'Proofread "teh cat"',
    'What does "carpe diem" mean?',
    'Shorten this URL: https://example.com/a',
    'How many times does Shakespeare mention love?',
    'Zähle die Wörter in "eins zwei"',
    'Sort the table by revenue',
    'Make "hello" bold',
  ])('do not take %s', async (text) => {
    expect(await askTextTools(text, notes)).toBe('not taken')
  })

  it('survive hostile material', async () => {
    const long = 'a'.repeat(300_000)
    for (const text of [long, '@'.repeat(50_000), '1 '.repeat(100_000), '\u202e\u0000 <script>', '. '.repeat(50_000)])
      for (const tool of textTools) {
        const run = async () =>
          tool.run({
            inputs: [
              {
                port: 'query',
                type: tool.skill.inputs[0]?.type ?? '',
                data: { text, other: 'b', operations: ['sort'], steps: [{ do: 'sort', by: 'alphabet' }] },
              },
            ],
          })
        const before = performance.now()
        await run().catch((error: unknown) => expect(error).toBeInstanceOf(SkillRefused))
        expect(performance.now() - before, `${tool.skill.id} ${text.slice(0, 5)}`).toBeLessThan(20_000)
      }
  }, 300_000)

  it('refuse a query without a text, and operations that do not exist', () => {
    for (const tool of textTools)
      expect(() => tool.run({ inputs: [{ port: 'query', type: tool.skill.inputs[0]?.type ?? '', data: {} }] })).toThrow(SkillRefused)
  })
})

describe('findEntities', () => {
  it('checks cards by their digit and IBANs by their checksum', () => {
    const text = '4111 1111 1111 1111 and 4111 1111 1111 1112; DE89 3704 0044 0532 0130 00 and DE88 3704 0044 0532 0130 00'
    expect(findEntities(text, ['card', 'iban']).map((one) => one.text)).toEqual(['4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00'])
  })
  it('finds no telephone number in dates, versions and amounts', () => {
    expect(findEntities('2024-01-05, 1.234.567, v10.2.3456789, 12/05/2024, $1,234,567', ['phone'])).toEqual([])
  })
})

describe('segments', () => {
  it('keep words and sentences whole, also around abbreviations and across the pieces of a long text', () => {
    expect(listSentences('Dr. Smith paid $3.50 to J. Doe. He left! Why?')).toEqual(['Dr. Smith paid $3.50 to J. Doe.', 'He left!', 'Why?'])
    expect(listWords('word '.repeat(20_000))).toHaveLength(20_000)
  })
})

describe('transformText', () => {
  it('has every operation, and undoes what it encodes', () => {
    for (const operation of operations.filter((one) => !['base64_decode', 'wrap', 'replace', 'count'].includes(one)))
      expect(typeof transformText('Héllo wörld, b', operation, {}), operation).toBe('string')
    const text = 'Grüße 🎉 & more'
    expect(transformText(transformText(text, 'base64_encode', {}), 'base64_decode', {})).toBe(text)
    expect(transformText(transformText(text, 'url_encode', {}), 'url_decode', {})).toBe(text)
    expect(transformText(transformText('Hello', 'rot13', {}), 'rot13', {})).toBe('Hello')
    expect(transformText('a.b a.b', 'replace', { find: '.', replacement: '$&' })).toBe('a$&b a$&b')
    expect(transformText('👩‍👩‍👧x', 'reverse_characters', {})).toBe('x👩‍👩‍👧')
  })
})

it('reads a goal that names texts over and over in bounded time', async () => {
  const before = performance.now()
  await askTextTools(`mean-1from ${'poem '.repeat(785)}${'('.repeat(41)}1`)
  // On an idle machine, 20 ms. With spaces that the patterns before left behind, more than 3 s.
  expect(performance.now() - before).toBeLessThan(1_500)
})

it('splits a sentence with many spaces in linear time', () => {
  const before = performance.now()
  for (let n = 0; n < 100; n++) expect(splitSentences(`x${' '.repeat(3_900)}y`)).toHaveLength(1)
  // Up to 20 ms, and in quadratic time more than 700 ms.
  expect(performance.now() - before).toBeLessThan(300)
})

it('measures a text of many short sentences in bounded time', () => {
  const text = '1. '.repeat(200_000)
  const before = performance.now()
  measureText(text, ['words_per_sentence'], { letters: 0, lines: 1, uniqueWords: 1, syllables: 0 })
  // On an idle machine, 600 ms. Where sentences are ranked for nothing, 3 s.
  expect(performance.now() - before).toBeLessThan(1_800)
})
