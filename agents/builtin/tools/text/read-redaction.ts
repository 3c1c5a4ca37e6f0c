/** Reads what a goal wants to have blacked out: kinds of personal data, and given names or words. */

import { correctTypingErrors } from '../correct-typing-errors.ts'
import { type EntityKind, entityKinds, kindWords } from './find-entities.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import type { TextRequest } from './text-request.ts'

export type WordRedaction = { readonly kinds: readonly EntityKind[]; readonly words: readonly string[] }
type Draft = { kinds: EntityKind[]; words: string[]; hasVerb: boolean; isPersonal: boolean; raw: string; quotations: readonly string[] }

const personal =
  '(?:(?:all|any|every|the|my|our) )*(?:personal|private|sensitive|contact)(?:ly identifiable)? (?:data|information|info|details)|pii'

const phrases: readonly Phrase<Draft>[] = [
  [
    phraseOf('redact|censor|mask|black out|blank out|blacken|hide|anonymi[sz]e|obfuscate|pseudonymi[sz]e|scrub|cross out'),
    (draft) => {
      draft.hasVerb = true
      return true
    },
  ],
  [
    phraseOf(personal),
    (draft) => {
      draft.isPersonal = true
      return true
    },
  ],
  ...entityKinds.map(
    (kind): Phrase<Draft> => [
      phraseOf(kindWords[kind]),
      (draft) => {
        if (!draft.kinds.includes(kind)) draft.kinds.push(kind)
        return true
      },
    ],
  ),
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      '(?:the )?(?:following )?(?:names?|words?|terms?|phrases?|company|persons?|people)|(?:all |any |every )?(?:mentions?|occurrences?|instances?) of',
    ),
    () => true,
  ],
  [
    // A quotation, or a name in capitals as it was written.
    /⟦(\d+)⟧|[\p{L}\p{N}][\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}][\p{L}\p{N}'’.-]*){0,3}/uy,
    (draft, match) => readWords(draft, match),
  ],
  [
    phraseOf('(?:and|or|out|all|any|every|each|the|of|my|our|please|also|as well as|in|from|everywhere|throughout|then|them|it|wherever)'),
    () => true,
  ],
]

function readWords(draft: Draft, match: RegExpExecArray): boolean | number {
  if (match[1] !== undefined) {
    draft.words.push(draft.quotations[Number(match[1])] ?? '')
    return true
  }
  const phrase = draft.raw.slice(match.index, match.index + match[0].length)
  const name = /^\p{Lu}[^\s]*(?: \p{Lu}[^\s]*){0,3}/u.exec(phrase)?.[0].replace(/(?<![.'’-])[.'’-]+$/, '')
  if (name === undefined || !draft.hasVerb) return false
  draft.words.push(name)
  return match.index + name.length
}

/** Undefined unless given names or words are to be blacked out, and every word of the goal is read. */
export function readWordRedaction({ raw, quotations }: TextRequest): WordRedaction | undefined {
  const draft: Draft = { kinds: [], words: [], hasVerb: false, isPersonal: false, raw: '', quotations }
  for (const sentence of raw) {
    draft.raw = sentence
    const lower = sentence.replace(/\p{Lu}/gu, (letter) => (letter.toLowerCase().length === 1 ? letter.toLowerCase() : letter))
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  const words = [...new Set(draft.words.filter((word) => word !== ''))]
  return draft.hasVerb && !draft.isPersonal && words.length > 0 ? { kinds: draft.kinds, words } : undefined
}

export type KindRedaction = {
  /** Empty: all that identify a person. */
  readonly kinds: readonly EntityKind[]
  /** Kinds, or names of numbers such as `order`, that must remain. */
  readonly keep: readonly string[]
}
type KindDraft = {
  kinds: EntityKind[]
  keep: string[]
  isKept: boolean
  hasVerb: boolean
  isPlainVerb: boolean
  isPersonal: boolean
  sentenceKinds: number
  /** Named in this sentence, before it requires that they stay. */
  names: string[]
}

const keepPhrase =
  "(?:please )?(?:but |and )?(?:do not|don't|dont|not|never|without) (?:touch|change|remove|hide|mask|redact|blank out|delete|touching|removing)|(?:but |and |please )*(?:keep|leave|preserve|retain|spare)|but not|except(?: for)?|other than|apart from"

const kindPhrases: readonly Phrase<KindDraft>[] = [
  [
    phraseOf(
      '(?:(?:but|and|please|just) )*(?:leave|keep) (?:everything else|the rest|all the rest|all else|anything else|the other things)(?: (?:as it is|as is|unchanged|alone|in|untouched|the same))?',
    ),
    () => true,
  ],
  [
    phraseOf(keepPhrase),
    (draft) => {
      draft.isKept = true
      return draft.hasVerb
    },
  ],
  [
    phraseOf(
      'redact|censor|mask|black out|blank out|blacken|hide|anonymi[sz]e|obfuscate|pseudonymi[sz]e|scrub|cross out|replace|remove|delete|strip(?: out)?|take out|x out|white out|cover(?: up)?',
    ),
    (draft, [phrase]) => {
      draft.hasVerb = true
      draft.isPlainVerb ||= /redact|anonymi|pseudonymi|censor|scrub/.test(phrase)
      return !draft.isKept
    },
  ],
  [
    phraseOf(personal),
    (draft) => {
      draft.isPersonal = true
      return !draft.isKept
    },
  ],
  [
    phraseOf(
      '(?:the |our |my |their |all |any )*(order|invoice|ticket|case|customer|booking|reference|tracking|account|contract|policy|claim)(?: (?:numbers?|nos?\\.?|nrs?|ids?|codes?|refs?))',
    ),
    (draft, [, name = '']) => {
      // Numbers of such names have no fixed form, so they are never blanked out.
      ;(draft.isKept ? draft.keep : draft.names).push(name)
      return true
    },
  ],
  [
    phraseOf('(?:all |any |the |their )*(?:first |last |full |postal |home |street )*(?:names?|postal address(?:es)?|addresses)'),
    ({ isKept }) => isKept,
  ],
  ...entityKinds.map(
    (kind): Phrase<KindDraft> => [
      phraseOf(
        kind === 'iban'
          ? `${kindWords[kind]}|bank (?:details|data|accounts?|info)|accounts? numbers?`
          : kind === 'card'
            ? `${kindWords[kind]}|cards?(?: details)?`
            : kindWords[kind],
      ),
      (draft) => {
        const list: string[] = draft.isKept ? draft.keep : draft.kinds
        if (!list.includes(kind)) list.push(kind)
        if (!draft.isKept) draft.sentenceKinds++
        return true
      },
    ],
  ),
  [
    phraseOf('(?:must|should|have to|need to|can|may) (?:stay|remain|be kept|be left)(?: (?:in|there|readable|as they are|visible))?'),
    (draft) => moveToKept(draft),
  ],
  ...(phrasesWithoutEffect as readonly Phrase<KindDraft>[]),
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      '(?:we|i) (?:want|would like|need|plan) to (?:use|show|share|publish|post|send|print) (?:this|it|the|that)(?:(?: [\\p{L}-]{1,20}){0,2} as (?:an? )?(?:[\\p{L}-]{1,20} ){0,2}(?:example|sample|template|case)|(?: [\\p{L}-]{1,20})?)',
    ),
    () => true,
  ],
  [phraseOf('(?:by|with) (?:placeholders?|marks?|xxx|x+|stars|asterisks|\\[redacted\\])'), () => true],
  [
    phraseOf(
      'and|or|out|all|any|every|each|the|of|my|our|please|also|as well as|in|from|everywhere|then|them|it|its|this|that|these|a|an|as|is|are|for|there|here|with|single|just|only|appear|appears|can|could|would|you|i|we|need|want|like|to|be|have|both|well|too|full|such|numbers?',
    ),
    () => true,
  ],
]

/** "The dates must stay" names what is kept before its verb. */
function moveToKept(draft: KindDraft): boolean {
  const last = draft.kinds.splice(draft.kinds.length - draft.sentenceKinds)
  const names = draft.names.splice(0)
  draft.keep.push(...last, ...names)
  return last.length + names.length > 0
}

const vocabulary = new Set(
  'address addresses telephone numbers number please redact anonymise anonymize replace remove personal'.split(' '),
)

/** Kinds that are blanked out and kinds that stay. Undefined if a word is not read, or names are to be blanked out. */
export function readKindRedaction(sentences: readonly string[]): KindRedaction | undefined {
  const draft: KindDraft = {
    kinds: [],
    keep: [],
    isKept: false,
    hasVerb: false,
    isPlainVerb: false,
    isPersonal: false,
    sentenceKinds: 0,
    names: [],
  }
  for (const sentence of sentences) {
    const lower = correctTypingErrors(sentence.toLowerCase(), vocabulary)
    draft.isKept = false
    draft.sentenceKinds = 0
    if (scanPhrases(lower, kindPhrases, draft) < lower.length || draft.names.length > 0) return undefined
  }
  const { kinds, keep, hasVerb, isPersonal, isPlainVerb } = draft
  // "Remove" alone is said of many things, so it needs the kinds.
  if (!hasVerb || (kinds.length === 0 && !isPersonal && !isPlainVerb) || keep.some((one) => (kinds as readonly string[]).includes(one)))
    return undefined
  return { kinds, keep: [...new Set(keep)] }
}
