/** Reads a goal that asks for a summary, perhaps with keywords. */
import { correctTypingErrors } from '../correct-typing-errors.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'

export type SummaryRequest = {
  readonly sentences: number | undefined
  /** 0: none are asked for. */
  readonly keywords: number
}

type Draft = { sentences: number | undefined; keywords: number; isAsked: boolean }

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const count = `(\\d{1,2}|${numbers.join('|')})`
const numberOf = (phrase: string | undefined): number | undefined =>
  phrase === undefined ? undefined : numbers.includes(phrase) ? numbers.indexOf(phrase) + 1 : Number(phrase)
const usualKeywords = 8
const unit = '(?:(?:short|key|main|single|simple|full) )*(?:sentences?|bullet points?|bullets|points?|lines?)'

const phrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(
      `(?:(?:(?:the|a|some|my) )*(?:(?:most important|main|key|relevant|important|best|central) )*${count} |(?:(?:the|a|some|my|list of) )*(?:(?:most important|main|key|relevant|important|best|central|top) )*)(?:(?:most important|main|best) )?(?:key ?words?|keywords|key ?phrases?|key terms?|tags|catchwords|buzzwords)`,
    ),
    (draft, [, phrase]) => {
      draft.keywords = numberOf(phrase) ?? usualKeywords
      return draft.keywords > 0
    },
  ],
  [
    // "Three, four sentences" and "3-4 sentences": up to the larger number.
    phraseOf(
      `(?:(?:in|to|into|on|of|with|as|down to) )?(?:(?:at most|max\\.?|maximum|about|around|roughly|only|just|no more than|not more than|up to|a maximum of) )?(?:${count}(?:,| or| to| ?[-–])? ?)?${count}[- ]${unit}(?: (?:or less|max|long|at most|tops))?`,
    ),
    (draft, [, , last]) => {
      if (draft.sentences !== undefined) return false
      draft.sentences = numberOf(last)
      return draft.sentences !== undefined && draft.sentences > 0
    },
  ],
  [
    phraseOf(
      'summari[sz]e|summary|sum up|summing up|boil(?:ed)?(?: down)?|condensed?|shorten(?:ed)?|tl;?dr|short version|synopsis|gist|(?:the )?(?:key|main|most important) (?:points|takeaways|sentences|ideas?)|digest|nutshell|brief',
    ),
    (draft) => {
      draft.isAsked = true
      return true
    },
  ],
  ...(phrasesWithoutEffect as readonly Phrase<Draft>[]),
  [
    phraseOf(
      '(?:(?:it|this|that) )?(?:goes|is going|will go|should go|needs to go|has to go) (?:on|in|into|to|up on) (?:the|our|a) [\\p{L}-]+(?: board)?',
    ),
    () => true,
  ],
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      '(?:(?:the|this|that|our|my|of|attached|following|whole|entire) )*(?:minutes|protocol|meeting|newsletter|article|report|speech|review|announcement|statement|email|e-mail|mail|post|chapter|interview|blog post|story|press release)',
    ),
    () => true,
  ],
  [
    phraseOf(
      "can|could|would|you|some(?:one|body)|anyone|i'd|i|we|need|want|like|to|have|get|give|make|write|show|me|us|a|an|the|it|this|that|and|also|plus|with|of|in|for|please|short|quick|brief|concise|down|too|as well|added|add|along|together|well|then|them|its|it's|list|what|are|is|attached|below|here|following|both|from|on|into|my|our",
    ),
    () => true,
  ],
]

const vocabulary = new Set(
  'summarise summarize summary sentence sentences keyword keywords condense shorten attached important meeting minutes article'.split(' '),
)

/** Undefined if a word is not read, or no summary is asked for. */
export function readSummaryRequest(sentences: readonly string[]): SummaryRequest | undefined {
  const draft: Draft = { sentences: undefined, keywords: 0, isAsked: false }
  for (const sentence of sentences) {
    const lower = correctTypingErrors(sentence.toLowerCase().replace(/⟦\d+⟧/g, ' '), vocabulary)
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  return draft.isAsked ? { sentences: draft.sentences, keywords: draft.keywords } : undefined
}
