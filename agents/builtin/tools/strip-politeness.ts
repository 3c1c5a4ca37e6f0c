/** Removes greetings, polite phrases and the last mark from a sentence. */

const leads = [
  'hi',
  'hello',
  'hey',
  'hi there',
  'hello there',
  'dear agent',
  'dear team',
  'good morning',
  'please',
  'kindly',
  'quick question',
  'question',
  'can you',
  'could you',
  'would you',
  'will you',
  'can anyone',
  'can someone',
  'could someone',
  'i need you to',
  'i need to know',
  'i need to find out',
  'i have to know',
  'i want to know',
  'i want you to',
  'i would like to know',
  'i would like you to',
  "i'd like to know",
  "i'd like you to",
  'i wonder',
  'i am wondering',
  "i'm wondering",
  'just',
  'tell me',
  'let me know',
  'help me',
  'help me to',
  'for me',
  'quickly',
  'and',
  'also',
  'then',
  'so',
  'ok',
  'okay',
  'do you know',
  'any idea',
]
const tails = [
  'please',
  'thanks',
  'thank you',
  'thx',
  'for me',
  'many thanks',
  'thank you very much',
  'cheers',
  'now',
  'exactly',
  'thanks in advance',
]

/** The sentence with single spaces, without greetings, polite phrases and its last mark. */
export function trimPoliteness(sentence: string): string {
  let text = sentence
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s?.:])[\s?.:]+$/, '')
    // `100!` is a factorial.
    .replace(/(?<![\s?.!:])[\s?.!:]+$/, (marks, at, all) => (/[\d)]/.test(all[at - 1] ?? '') ? marks.slice(0, 1) : ''))
    .trim()
  for (let round = 0; round < 8; round++) {
    const before = text
    for (const lead of leads)
      if (text.slice(0, lead.length).toLowerCase() === lead && /^[ ,:!-]/.test(text.slice(lead.length)))
        text = text.slice(lead.length).replace(/^[ ,:!-]+/, '')
    for (const tail of tails) {
      const end = text.slice(-tail.length - 1).toLowerCase()
      if (end === ` ${tail}` || end === `,${tail}`) text = text.slice(0, -tail.length).replace(/(?<![ ,?.!])[ ,?.!]+$/, '')
    }
    if (text === before) break
  }
  return text
}

/** The start of the text in one line and without its last mark, as the end of a sentence about it. */
export const quoteInline = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, 200)
    .replace(/(?<![\s.?!])[\s.?!]+$/, '')

/** As `trimPoliteness`, in lower case. */
export const stripPoliteness = (sentence: string): string => trimPoliteness(sentence).toLowerCase()
