/** Reads what a goal wants to have blacked out: kinds of personal data, and given names or words. */
import { type EntityKind, entityKinds, kindWords } from './find-entities.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import type { TextRequest } from './text-request.ts'

export type Redaction = { readonly kinds: readonly EntityKind[]; readonly words: readonly string[] }
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
  const said = draft.raw.slice(match.index, match.index + match[0].length)
  const name = /^\p{Lu}[^\s]*(?: \p{Lu}[^\s]*){0,3}/u.exec(said)?.[0].replace(/[.'’-]+$/, '')
  if (name === undefined || !draft.hasVerb) return false
  draft.words.push(name)
  return match.index + name.length
}

/** Undefined unless given names or words are to be blacked out, and every word of the goal is read. */
export function readRedaction({ raw, quotations }: TextRequest): Redaction | undefined {
  const draft: Draft = { kinds: [], words: [], hasVerb: false, isPersonal: false, raw: '', quotations }
  for (const sentence of raw) {
    draft.raw = sentence
    const lower = sentence.replace(/\p{Lu}/gu, (letter) => (letter.toLowerCase().length === 1 ? letter.toLowerCase() : letter))
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  const words = [...new Set(draft.words.filter((word) => word !== ''))]
  return draft.hasVerb && !draft.isPersonal && words.length > 0 ? { kinds: draft.kinds, words } : undefined
}
