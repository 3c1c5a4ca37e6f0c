/** Reads which measures of a text a goal asks for. */
import type { TextMeasure } from './measure-text.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import type { TextRequest } from './text-request.ts'

export type StatisticsWish = { readonly measures: readonly TextMeasure[]; readonly top: number | undefined }
type Draft = { measures: TextMeasure[]; top: number | undefined; isAsked: boolean }

const add = (measure: TextMeasure) => (draft: Draft) => {
  if (!draft.measures.includes(measure)) draft.measures.push(measure)
  draft.isAsked = true
  return true
}
/** What every answer has. */
const usual = (draft: Draft) => {
  draft.isAsked = true
  return true
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
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
      `(?:the )?(?:top )?(?:(\\d{1,3}|${numbers.join('|')}) )?(?:most (?:common|frequent|frequently used|commonly used|used|often used|repeated)|top) (words?)|how often (?:does |do )?(?:each|every) word(?: (?:occurs?|appears?|is used))?|word frequenc(?:y|ies)|(?:the )?frequency of (?:each|all|the|every) words?|(?:the )?(?:words?) (?:that )?(?:occurs?|appears?|is used|are used) (?:the )?most(?: often)?|which words? (?:occurs?|appears?|is used|are used) (?:the )?most(?: often)?`,
    ),
    (draft, [said, top, noun]) => {
      const count = top === undefined ? undefined : numbers.includes(top) ? numbers.indexOf(top) + 1 : Number(top)
      draft.top = count ?? (noun === 'word' || /\bword (?:that )?(?:occurs|appears|is)/.test(said) ? 1 : undefined)
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
  [
    phraseOf(
      'readability(?: (?:score|level|statistics|index))?|reading (?:level|ease)(?: score)?|flesch(?: reading ease)?(?: score)?|how (?:readable|hard to read|easy to read|difficult to read|complex)(?: (?:is|are))?',
    ),
    usual,
  ],
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
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      "(?:how|many|much|what|what's|whats|is|are|the|of|in|there|counts?|number|total|tell|give|show|get|find|determine|calculate|compute|check|me|us|and|also|its|it|does|do|did|have|has|contain|contains|a|an|all|i|need|want|know|to|for|please|then|this|that|here|be|up|with|list|on average|their|my|our|about|as well|both|us|long|⟦\\d+⟧)",
    ),
    () => true,
  ],
]

/** Undefined if a word is not read, or no measure is named. */
export function readStatistics({ raw }: TextRequest): StatisticsWish | undefined {
  const draft: Draft = { measures: [], top: undefined, isAsked: false }
  for (const sentence of raw) {
    const lower = sentence.toLowerCase()
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  return draft.isAsked ? { measures: draft.measures, top: draft.top } : undefined
}
