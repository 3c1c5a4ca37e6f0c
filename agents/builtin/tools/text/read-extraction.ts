/** Reads what a goal wants to have listed from a text, and how. */
import { type EntityKind, entityKinds, kindWords } from './find-entities.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import type { TextRequest } from './text-request.ts'

export type ExtractKind = EntityKind | 'todo'

export type Extraction = {
  readonly kinds: readonly ExtractKind[]
  readonly isUnique: boolean
  readonly isSorted: boolean
  readonly isByDomain: boolean
}

type Draft = { kinds: ExtractKind[]; isUnique: boolean; isSorted: boolean; isByDomain: boolean; hasVerb: boolean }

const set = (key: 'isUnique' | 'isSorted' | 'isByDomain' | 'hasVerb') => (draft: Draft) => {
  draft[key] = true
  return true
}
const addKind = (kind: ExtractKind) => (draft: Draft) => {
  if (!draft.kinds.includes(kind)) draft.kinds.push(kind)
  return true
}

const phrases: readonly Phrase<Draft>[] = [
  [
    phraseOf(
      '(?:(?:remove|delete|drop|no|without|skip|ignore|minus|filter out|leave out|excluding) (?:(?:any|all|the) )*)(?:duplicates?|duplicate (?:ones|entries)|doubles|repeats)|de-?dup(?:e|ed|licate|licated)?|(?:each|every) (?:one |address |number |link )?(?:just |only )?once|only once|unique|distinct|different',
    ),
    set('isUnique'),
  ],
  [
    phraseOf(
      '(?:sort(?:ed)?|order(?:ed)?)(?: (?:them|it|the list|the result))?(?: (?:alphabetically|in alphabetical order|by name|a ?(?:to|-) ?z|from a to z))?|in alphabetical order|alphabetically|a ?(?:to|-) ?z',
    ),
    set('isSorted'),
  ],
  [
    phraseOf(
      '(?:(?:grouped?|counted|count|split|broken down) (?:them )?)?(?:by|per|for each) (?:mail |e-?mail )?domains?|(?:the )?domains? (?:counts?|of)',
    ),
    set('isByDomain'),
  ],
  [
    phraseOf(
      "(?:open |outstanding )?(?:to-?do'?s?(?: items?| list)?|to do'?s?(?: items?| list)?|action (?:items?|points?)|open (?:tasks?|items|points)|tasks?)",
    ),
    addKind('todo'),
  ],
  ...entityKinds.map((kind): Phrase<Draft> => [phraseOf(kindWords[kind]), addKind(kind)]),
  [
    phraseOf('(?:as|in|into|to) (?:an? )?(?:csv|bullet(?:ed)?|plain|simple|clean)? ?(?:csv|list|table|format)(?: file| format)?'),
    () => true,
  ],
  [phraseOf(textPointer), () => true],
  [
    phraseOf(
      'extract|find|list|get|pull|give|show|collect|gather|grab|identify|pick|output|return|need|want|fetch|retrieve|take|tell|see|search|copy|how many|count|what|which|whats|print|make|create|detect',
    ),
    set('hasVerb'),
  ],
  [
    phraseOf(
      "(?:out|all|every|each|any|of|the|me|us|a|an|that|are|is|were|there|mentioned|in|appear|appears|occur|occurs|found|included|used|contained|contains?|has|have|does|do|and|or|as|well|also|i|we|i'd like|along|from|here|both|just|only|please|then|them|it|its|into|to|present|inside|my|our|single|list of|number of|for|up|those|these|this|be|can|you|your|by|at|with|line numbers|⟦\\d+⟧)",
    ),
    () => true,
  ],
]

/** Undefined if a word is not read, or nothing is named that can be listed. */
export function readExtraction({ raw, text, hasFile }: TextRequest): Extraction | undefined {
  const draft: Draft = { kinds: [], isUnique: false, isSorted: false, isByDomain: false, hasVerb: false }
  for (const sentence of raw) {
    const lower = sentence.toLowerCase()
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  const { hasVerb, ...rest } = draft
  const isNamed = hasVerb || (!rest.isSorted && (text !== undefined || hasFile) && !rest.kinds.includes('number'))
  const hasDomains = rest.kinds.every((kind) => kind === 'email' || kind === 'url')
  return rest.kinds.length > 0 && isNamed && (!rest.isByDomain || hasDomains) ? rest : undefined
}
