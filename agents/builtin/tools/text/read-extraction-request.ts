/** Reads what a goal wants to have listed from a text, and how. */

import { correctTypingErrors } from '../correct-typing-errors.ts'
import { type EntityKind, entityKinds, kindWords } from './find-entities.ts'
import { internationalForm, isPhoneForm } from './format-phone-number.ts'
import { phrasesWithoutEffect } from './phrases-without-effect.ts'
import { type Phrase, phraseOf, scanPhrases, textPointer } from './scan-phrases.ts'
import type { TextRequest } from './text-request.ts'

export type ExtractKind = EntityKind | 'todo'

export type Extraction = {
  readonly kinds: readonly ExtractKind[]
  readonly isUnique: boolean
  readonly isSorted: boolean
  readonly isByDomain: boolean
  /** One below the other, without anything else. */
  readonly isPlainList: boolean
  readonly isLowerCase: boolean
  /** How telephone numbers are written, such as `0X XX XX XX XX`. */
  readonly phoneForm: string | undefined
  /** Addresses, or the beginnings or ends of some, that are left out: `info@`, `@example.org`. */
  readonly except: readonly string[]
}

type Switch = 'isUnique' | 'isSorted' | 'isByDomain' | 'isPlainList' | 'isLowerCase' | 'isAddress' | 'hasVerb'
type Draft = { kinds: ExtractKind[]; phoneForm: string | undefined; readonly except: string[] } & { [key in Switch]: boolean }

const set = (key: Switch) => (draft: Draft) => {
  draft[key] = true
  return true
}
const addKind = (kind: ExtractKind) => (draft: Draft) => {
  if (!draft.kinds.includes(kind)) draft.kinds.push(kind)
  return true
}

const phrases: readonly Phrase<Draft>[] = [
  [
    /(?:except(?: for)?|excluding|without|but not|leave out|leaving out|skip|ignore) (?:the |any )?((?:[\w.+-]+@[\w.-]*|@[\w.-]+)(?: (?:and|or|,) (?:[\w.+-]+@[\w.-]*|@[\w.-]+))*)(?: (?:one|ones|address|addresses))?(?![\w@])/uy,
    (draft, [, list = '']) => {
      draft.except.push(...list.split(/ (?:and|or|,) /).map((one) => one.replace(/\.$/, '')))
      return true
    },
  ],
  [
    phraseOf(
      '(?:(?:remove|delete|drop|no|without|skip|ignore|minus|filter out|leave out|excluding) (?:(?:any|all|the) )*)(?:duplicates?|duplicate (?:ones|entries)|doubles|repeats)|de-?dup(?:e|ed|licate|licated)?|(?:each|every) (?:one |address |number |link )?(?:just |only )?once|(?:only )?once|unique|distinct|different|no repeats|not? (?:\\w+ )?(?:listed )?twice|without repetitions?|(?:remove|drop|delete) (?:the )?repeated ones',
    ),
    set('isUnique'),
  ],
  [
    phraseOf(
      '(?:sort(?:ed)?|order(?:ed)?)(?: (?:them|it|the list|the result))?(?: (?:alphabetically|in alphabetical order|by name|a ?(?:to|-) ?z|from a to z))?|in alphabetical order|alphabetically|alphabetical(?: order)?|alphabeti[sz]ed?|a ?(?:to|-) ?z|in abc order',
    ),
    set('isSorted'),
  ],
  [
    phraseOf(
      '(?:only |just )?one (?:(?:address|number|entry|item|link|e-?mail) )?(?:per|a|on each|in each|on every|to a) line|each (?:one )?on (?:its|a|an) (?:own|separate|new) line|one (?:below|under|beneath) the other|(?:as|in) (?:a )?(?:plain|simple|clean) list',
    ),
    set('isPlainList'),
  ],
  [phraseOf('(?:(?:in|to|as|make (?:them|it)|all) )*(?:all )?(?:lower[- ]?cased?|small letters)(?: letters| please)?'), set('isLowerCase')],
  [
    phraseOf(
      '(?:nothing else|without (?:the |any )?names|no names|leave (?:out|off) (?:the )?names|not the names|the rest can go|(?:remove|drop|delete|leave out|throw away|ignore) (?:everything else|the rest|all the rest|anything else))',
    ),
    () => true,
  ],
  [
    /(?:(?:in|to|into|as|using|with|like) )?(?:the |this )?(?:(?:format|form|style|notation|pattern):? )?(?:like )?(0x[x ()./-]{5,30}|\+\d{1,3} ?x[x ()./-]{5,30}|\(?x{2,5}[x ()./-]{5,30})(?![\p{L}\p{N}])/uy,
    (draft, [, form = '']) => {
      const trimmed = form.replace(/(?<![\s.(/-])[\s.(/-]+$/, '')
      if (!isPhoneForm(trimmed) || draft.phoneForm !== undefined) return false
      draft.phoneForm = trimmed
      return true
    },
  ],
  // The mails are the text here.
  [
    phraseOf('(?:of|from|in|out of) (?:all )?(?:of )?(?:these|this|those) (?:attached |following )?(?:e-?mails?|mails?|messages?)'),
    () => true,
  ],
  [
    phraseOf('(?:of|from|in|out of) (?:the|my|our) (?:attached |following )?(?:e-?mails?|mails?|messages?)'),
    (draft) => draft.kinds.length > 0,
  ],
  [
    phraseOf(
      '(?:get rid of|remove|delete|drop|strip|throw (?:out|away)|ignore) (?:everything|all|anything)(?: else)? (?:except|but|apart from|other than)(?: for)?',
    ),
    set('hasVerb'),
  ],
  [phraseOf('(?:strip|remove|delete|drop|get rid of) (?:all |any )?(?:the |their )?names'), () => true],
  [
    phraseOf('(?:in|to|into|as|using|with) (?:the |an? )?(?:e\\.?164|international (?:format|form|notation|style))(?: format)?'),
    (draft) => {
      draft.phoneForm = internationalForm
      return true
    },
  ],
  // Only with a word for e-mails it is known which ones are meant.
  [phraseOf('add?ress(?:es)?'), set('isAddress')],
  [phraseOf('i mean|only|just'), set('hasVerb')],
  [phraseOf('clean(?: up)?|tidy(?: up)?|sort out'), set('hasVerb')],
  ...phrasesWithoutEffect,
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

/** Words in which slips are corrected. */
const vocabulary = new Set(
  'address addresses numbers telephone mobile duplicates doubles alphabetical alphabetically extract please remove without domain domains amounts percentages hashtags mentions sorted unique format'.split(
    ' ',
  ),
)

/** Undefined if a word is not read, or nothing is named that can be listed. */
export function readExtractionRequest({ raw, text, hasFile }: TextRequest): Extraction | undefined {
  const draft: Draft = {
    kinds: [],
    phoneForm: undefined,
    except: [],
    isUnique: false,
    isSorted: false,
    isByDomain: false,
    isPlainList: false,
    isLowerCase: false,
    isAddress: false,
    hasVerb: false,
  }
  for (const sentence of raw) {
    const lower = correctTypingErrors(sentence.toLowerCase(), vocabulary)
    if (scanPhrases(lower, phrases, draft) < lower.length) return undefined
  }
  const { hasVerb, isAddress, ...rest } = draft
  if (isAddress && !rest.kinds.includes('email')) return undefined
  const isNamed = hasVerb || (!/^(?:sort|order)/i.test(raw[0] ?? '') && (text !== undefined || hasFile) && !rest.kinds.includes('number'))
  const hasDomains = rest.kinds.every((kind) => kind === 'email' || kind === 'url')
  // Which of the numbers are mobile ones depends on the country.
  if (/\b(?:mobile|cell|landline)/.test(raw.join(' ').toLowerCase()) && /\b(?:only|just|not)\b/.test(raw.join(' ').toLowerCase()))
    return undefined
  if (rest.phoneForm !== undefined && !rest.kinds.includes('phone')) return undefined
  return rest.kinds.length > 0 && isNamed && (!rest.isByDomain || hasDomains) ? rest : undefined
}
