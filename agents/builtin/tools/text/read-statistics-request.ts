/** Reads which measures of a text a goal asks for. */

import { correctTypingErrors } from '../correct-typing-errors.ts'
import type { TextMeasure } from './measure-text.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import type { TextRequest } from './text-request.ts'

export type StatisticsRequest = {
  readonly measures: readonly TextMeasure[]
  readonly top: number | undefined
  readonly isRated: boolean
  /** The age of the reader that is meant. */
  readonly age: number | undefined
}
type Draft = {
  measures: TextMeasure[]
  top: number | undefined
  isAsked: boolean
  isRated: boolean
  isScored: boolean
  age: number | undefined
}

const add = (measure: TextMeasure) => (draft: Draft) => {
  if (!draft.measures.includes(measure)) draft.measures.push(measure)
  draft.isAsked = true
  return true
}
const rate = (draft: Draft) => {
  draft.isRated = true
  draft.isAsked = true
  return true
}
/** One age or school year. */
const rateFor = (yearsOlder: number) => (draft: Draft, match: RegExpExecArray) => {
  const number = Number(match.slice(1).find((one) => one !== undefined))
  if (draft.age !== undefined || !(number > 0 && number < 100)) return false
  draft.age = number + yearsOlder
  return rate(draft)
}
/** What every answer has. */
const usual = (draft: Draft) => {
  draft.isAsked = true
  return true
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const child = '(?: (?:kids?|child(?:ren)?|boys?|girls?|pupils?|students?|readers?|son|daughter))?'
const canRead =
  '(?: (?:be able to|manage to|easily|already|really))* (?:read|understand|follow|get|cope with|manage)(?: (?:this|it|that))?(?: (?:easily|alone|on their own|without help))?'
const suits =
  '(?:too (?:hard|difficult|complicated|complex|long)|(?:hard|difficult|easy|simple|clear)(?: enough)?|suitable|ok|okay|fine|right|good|appropriate|readable|understandable) (?:to (?:read|understand) )?for'
const readabilityPhrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(
      `(?:would|could|can|will|should|is|do|does) (?:an? |my |the |most )?(\\d{1,2})[- ]?(?:years?|yrs?)[- ]?olds?${child}${canRead}`,
    ),
    rateFor(0),
  ],
  [
    phraseOf(
      `${suits} (?:an? |my |our )?(?:(\\d{1,2})[- ]?(?:years?|yrs?)[- ]?olds?${child}|(?:kids|children|readers|pupils|people) (?:of|aged?|who are) (\\d{1,2})(?: years)?)`,
    ),
    rateFor(0),
  ],
  [
    phraseOf(
      `${suits} (?:an? |my |our )?(?:(\\d{1,2})(?:st|nd|rd|th)[- ]?grad(?:ers?|e)${child}|grade (\\d{1,2})${child}|year (\\d{1,2})${child})`,
    ),
    rateFor(5),
  ],
  [phraseOf(`(?:${suits} (?:kids|children|everyone|everybody|most people|beginners|the public|laypeople|visitors|readers))`), rate],
  [
    phraseOf(
      '(?:readability|reading|flesch(?:[- ]kincaid)?(?: reading)?)(?: (?:grade|ease|score|level|index|age|statistics))*|(?:school |us |reading )?(?:grade|year)(?: level)?|(?:from |for )?(?:what|which) (?:age|school (?:year|grade)|grade|reading level)(?: (?:group|level))?(?: (?:is it|is this|is that|do you need|does (?:one|a reader|someone) need))?(?: (?:suitable|written|good|ok|readable|right|needed))?(?: for)?|how old (?:do you|does (?:one|a reader|someone)|must (?:one|a reader|you)|should (?:one|a reader|you|someone)) (?:(?:have|need) to )?be to (?:read|understand)(?: (?:this|it))?|(?:how )?(?:hard|easy|difficult|readable|complex|understandable)(?: (?:is|are) (?:this|it|they))?(?: to (?:read|understand))?',
    ),
    rate,
  ],
  [
    phraseOf(
      "(?:(?:some|any) (?:sort|kind) of |some |an? |one )?(?:score|rating|mark|measure)(?: (?:that )?(?:i|we) can (?:wave at|show to|show|give|send|send to|quote to|use|use with)(?: (?:to )?[\\p{L}'’]+){1,3})?",
    ),
    (draft) => {
      draft.isScored = true
      return true
    },
  ],
]
/** As many words as the query may ask for. */
const maxTop = 100
const average = '(?:average|mean|avg\\.?)'
const phrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(
      `${average} (?:number of )?words (?:per|in (?:a|each)|a|in every|for each) sentence|${average} (?:sentence length|length of (?:the |a |its |all )?sentences?)|words per sentence|how long (?:are|is) (?:the|a|an|each)? ?(?:sentences?)(?: on average)?|how many words (?:does|do|has|have|are in|are there in) (?:a|an|each|the average) (?:average )?sentence(?: have| contain)?(?: on average)?`,
    ),
    add('words_per_sentence'),
  ],
  [
    phraseOf(
      `${average} (?:word length|length of (?:the |a |its |all )?words?|(?:number of )?(?:characters|letters) per word)|(?:characters|letters) per word`,
    ),
    add('letters_per_word'),
  ],
  [
    phraseOf(
      `${average} (?:paragraph length|length of (?:the |a |its |all )?paragraphs?|(?:number of )?words per paragraph)|words per paragraph`,
    ),
    add('words_per_paragraph'),
  ],
  [phraseOf('(?:the )?longest words?'), add('longest_word')],
  [phraseOf('(?:the )?longest sentence'), add('longest_sentence')],
  [phraseOf('(?:the )?shortest sentence'), add('shortest_sentence')],
  [
    phraseOf(
      `(?:the )?(?:top )?(?:(\\d{1,3}|${numbers.join('|')}) )?(?:most (?:common|frequent|frequently used|commonly used|used|often used|repeated)|top) (words?)|how (?:often|many times) (?:does |do )?(?:each|every) (?:different )?word(?: (?:occurs?|appears?|is used))?|word frequenc(?:y|ies)|(?:the )?frequency of (?:each|all|the|every) words?|(?:the )?(?:words?) (?:that )?(?:occurs?|appears?|is used|are used) (?:the )?most(?: often)?|which words? (?:occurs?|appears?|is used|are used) (?:the )?most(?: often)?`,
    ),
    (draft, [phrase, top, noun]) => {
      const count = top === undefined ? undefined : numbers.includes(top) ? numbers.indexOf(top) + 1 : Number(top)
      const isEach = /\b(?:each|every|all) (?:the )?(?:different )?words?\b|frequencies/.test(phrase)
      draft.top =
        count ?? (isEach ? maxTop : undefined) ?? (noun === 'word' || /\bword (?:that )?(?:occurs|appears|is)/.test(phrase) ? 1 : undefined)
      return count !== 0 && add('frequent_words')(draft)
    },
  ],
  [
    phraseOf(
      'how long (?:does|would|will) (?:it|this) take (?:(?:me|you|someone) )?to (?:speak|say|present|read(?: (?:it|this|that))? (?:aloud|out loud))|(?:speaking|speech|presentation) time',
    ),
    add('speaking_time'),
  ],
  [
    phraseOf(
      '(?:how long (?:does|would|will|do|should) (?:it|this|that|i|we|you) (?:take )?(?:(?:me|you|us|someone|one) )?to read(?: (?:it|this|that))?|how (?:long|many minutes)(?: does it take)? to read|(?:estimated )?reading time|time to read)',
    ),
    usual,
  ],
  ...readabilityPhrases,
  [phraseOf('(?:unique|distinct|different) words?(?: counts?)?'), add('unique_words')],
  [
    phraseOf(
      'characters? [(]?(?:with(?:out)?|including|excluding|incl|excl)(?: (?:and without|the))? (?:spaces?|white ?space)(?: (?:and )?(?:with(?:out)?)(?: (?:spaces?|them))?)?',
    ),
    usual,
  ],
  [
    phraseOf(
      '(?:word|character|char|sentence|paragraph)s?(?: counts?)?|chars|how long (?:is|are)(?: it)?|text statistics|statistics|stats',
    ),
    usual,
  ],
  [phraseOf('letters?(?: counts?)?'), add('letters')],
  [phraseOf('lines?(?: counts?)?|rows'), add('lines')],
  [phraseOf('syllables?(?: counts?)?'), add('syllables')],
  [phraseOf(`(?:spaces|white ?space) (?:included|excluded|counted|not counted)`), usual],
  ...(phrasesWithoutEffect as readonly Phrase<Draft>[]),
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      "(?:how|many|much|what|what's|whats|is|are|the|of|in|there|counts?|number|total|tell|give|show|get|find|determine|calculate|compute|check|me|us|and|also|its|it|does|do|did|have|has|contain|contains|a|an|all|i|i'd|we'd|like|would|need|want|know|to|for|please|then|this|that|here|be|up|with|list|on average|their|my|our|about|as well|both|us|long|⟦\\d+⟧)",
    ),
    () => true,
  ],
]

const vocabulary = new Set(
  'characters paragraphs paragraph sentences sentence syllables readability reading frequent average children grade difficult complicated suitable understand longest shortest'.split(
    ' ',
  ),
)

/** Undefined if a word is not read, or no measure is named. */
const writesNumbers =
  /^\s*(?:please |can you |could you |just |and )*number (?:(?:the|all|these|those|my|our|each|every) )*(?:lines?|rows?|items?|paragraphs?|sentences?)\b/

export function readStatisticsRequest({ raw }: TextRequest): StatisticsRequest | undefined {
  const draft: Draft = { measures: [], top: undefined, isAsked: false, isRated: false, isScored: false, age: undefined }
  for (const sentence of raw) {
    const lower = correctTypingErrors(sentence.toLowerCase(), vocabulary)
    // “Number the lines” writes numbers, and counts nothing.
    if (writesNumbers.test(lower) || scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  const { measures, top, isRated, age } = draft
  // A score of something else.
  if (draft.isScored && !isRated) return undefined
  return draft.isAsked ? { measures, top, isRated, age } : undefined
}
