/** Reads which encoding a goal names, in which direction, and what is encoded. */

import { trimPoliteness } from '../strip-politeness.ts'
import type { ToolGoal } from '../tool.ts'
import { type CodecId, codecIds } from './codecs.ts'
import { findSourceFile, splitGoalMaterial } from './split-goal-material.ts'

export type EncodingRequest = {
  readonly codecs: readonly CodecId[]
  readonly direction: 'encode' | 'decode'
  /** Undefined: the goal points to a text that is not there, or in a file. */
  readonly text: string | undefined
}

/** Names of each encoding, as words that are joined by blanks. */
const names: { readonly [id in CodecId]: string } = {
  base64: 'base ?-?64|b64',
  base32: 'base ?-?32|b32',
  url: 'urls?|uris?|percent|url component|uri component',
  hex: 'hex(?:adecimal)?|base ?-?16',
  binary: 'binary',
  html: 'html(?: (?:special )?(?:entity|entities|characters|chars))?',
  morse: 'morse',
  nato: 'nato(?: phonetic| spelling)?(?: alphabet)?|(?:phonetic|spelling|radio) alphabet|nato phonetics',
  ascii: 'ascii|decimal ascii|character codes?|char codes?',
  unicode: 'unicode(?: code ?points?| escapes?| values?)?|code ?points?',
  slug: 'url[- ]friendly|seo[- ]friendly|url[- ]safe|url slug|slug',
}
const codec = `(?:${codecIds.map((id) => names[id]).join('|')})`
const suffix = '(?:[- ](?:code|codes|encoded|encoding|format|values?|string|numbers?|notation|form|representation|slug|url|escaped))?'
const codecList = `(?:the )?(?<list>${codec}${suffix}(?:(?:,| and|, and| &)(?: also)?(?: in| to| as)? (?:the )?${codec}${suffix}){0,3})`

const encodeVerb = '(?:encode|escape|convert|translate|transform|turn|change|put|write|spell|say|express|encrypt|make)'
const decodeVerb = '(?:decode|unescape|decrypt|decipher|un-?encode|translate|convert|read)'
const pointer =
  '(?:(?:the |this |that |these |those |my |following |attached |given |below |above )*(?:text|string|word|words|phrase|sentence|message|letters|name|code|value|input|file|document|line|title|headline|heading|snippet|content|contents|characters|this|it|that|these|following|attached|below)(?: (?:below|above|here|attached|file|text|string|code))*)'
const plainText = '(?:(?:plain |normal |readable |english |clear )?(?:text|ascii|english|letters|words|string|utf-?8)|plain|normal)'
const lead =
  '(?:(?:what is|whats|what are|how is|how do (?:you|i)|how would (?:you|i)|give me|get|show me|get me|i need|i want|compute|generate|create|make|find) )?(?:the |a |an )?'

/** Patterns of a whole request; `x` is the material, which is missing if it was quoted. */
const shapes: readonly (readonly ['encode' | 'decode' | 'named', RegExp])[] = [
  [
    'decode',
    new RegExp(
      `^(?:what does |what is |whats |${decodeVerb}(?: |$))?(?<x>.*?) ?(?:say|mean|says|means|spell|stand for|decoded)? ?(?:from|out of) ${codecList}(?: to| into| as| back to)?(?: ${plainText})?$`,
      'd',
    ),
  ],
  [
    'decode',
    new RegExp(
      `^${decodeVerb} (?:(?:this|the|from|a|that|my|following) )*${codecList} ?(?:to|into|as|back to|back into) ${plainText}(?: ?:| of)? ?(?<x>.*)$`,
      'd',
    ),
  ],
  ['decode', new RegExp(`^${codecList} (?:to|into) ${plainText}(?: ?:| of| for)? ?(?<x>.*)$`, 'd')],
  ['decode', new RegExp(`^${codecList}[- ]?(?:decode|decoded|unescape|decoding|decoder)(?: of| for| ?:)? ?(?<x>.*)$`, 'd')],
  [
    'decode',
    new RegExp(
      `^(?:decode|unescape|decrypt|decipher|un-?encode|read) (?:(?:this|the|from|a|that|my|following|these) )*${codecList}(?: ?:)? ?(?<x>.*)$`,
      'd',
    ),
  ],
  [
    'decode',
    new RegExp(
      `^(?:what does|what do|what is|whats) (?:(?:this|the|following|these) )*${codecList}(?: ?:)? ?(?<x>.*?) ?(?:say|mean|spell|stand for|decode to|decoded)$`,
      'd',
    ),
  ],
  [
    'decode',
    new RegExp(`^(?:what does|what is|whats) (?<x>.+?) (?:say|mean|spell|stand for|decode to|decoded) (?:in|from|as) ${codecList}$`, 'd'),
  ],
  ['encode', new RegExp(`^${codecList}[- ]?(?:encode|escape|encoding|encoder)(?: of| for| ?:)? ?(?<x>.*)$`, 'd')],
  ['encode', new RegExp(`^(?:encode|escape) (?:(?:this|the|following|a|my) )*${codecList}(?: ?:)? ?(?<x>.*)$`, 'd')],
  ['encode', new RegExp(`^(?:${encodeVerb}) (?:to|into|in|as|using|with) (?:a |an )?${codecList}(?: ?:)? ?(?<x>.*)$`, 'd')],
  ['named', new RegExp(`^${lead}${codecList} (?:of|for|from)(?: (?<x>.*))?$`, 'd')],
  [
    'named',
    new RegExp(
      `^(?:${lead}(?:${encodeVerb} )?)(?<x>.*?) ?(?:to|into|in|as|using|with|written in|spelled in|be in|look like in|look in|for) (?:a |an )?${codecList}$`,
      'd',
    ),
  ],
  [
    'named',
    new RegExp(
      `^(?:make|turn|convert|change|create) (?<x>.*?) ?(?:into |to )?(?:a |an )?(?<list>${names.slug})(?: (?:url|link|name|string|version|slug))?$`,
      'd',
    ),
  ],
  ['decode', new RegExp(`^(?<x>\\S+) ${codecList}[- ]?(?:decode|decoded)$`, 'd')],
  [
    'encode',
    new RegExp(`^(?:encode|escape) (?<x>.*?) ?(?:for use |to use |to put |for )?(?:in|into|as) (?:a |an |my )?${codecList}$`, 'd'),
  ],
  ['named', new RegExp(`^${lead}${codecList}$`, 'd')],
]

function listCodecs(list: string): CodecId[] {
  const found: CodecId[] = []
  for (const part of list.split(/,| and | & /)) {
    const plain = part.trim().replace(/^(?:and |also |in |to |as |the )+/, '')
    // `url slug` is a slug, so the last match counts.
    const id = codecIds.findLast((one) => new RegExp(`^(?:${names[one]})${suffix}$`).test(plain))
    if (id !== undefined && !found.includes(id)) found.push(id)
  }
  return found
}

const isPointer = (text: string): boolean => text === '' || new RegExp(`^${pointer}$`).test(text.toLowerCase())
const maxInline = 2_000

/** Whether a text can be code of the encoding. */
const looksEncoded = (id: CodecId, text: string): boolean =>
  id === 'morse'
    ? /^[.\-·•−–/|\s]+$/.test(text)
    : id === 'binary'
      ? /^(?:[01]{7,8}[\s,]*)+$/.test(text.replace(/\s+/g, ' ')) && text.length <= maxInline
      : id === 'url'
        ? /%[\da-f]{2}/i.test(text) && !/\s/.test(text)
        : id === 'html'
          ? /&(?:#\d+|#x[\da-f]+|[a-z]+);/i.test(text) && !/[<>]/.test(text)
          : id === 'hex'
            ? /^(?:0x)?(?:[\da-f]{2}[\s:,]*){2,}$/i.test(text) && /\d/.test(text)
            : id === 'unicode'
              ? /U\+[\da-f]{4}|\\u[\da-f]{4}/i.test(text)
              : false

/** Names that mean an encoding only with a verb or a further word. */
const isVague = (id: CodecId, phrase: string): boolean =>
  (id === 'html' && !/\bentit|\bescape|\bunescape|\bencod|\bdecod|special char/.test(phrase)) ||
  (id === 'url' && !/\bpercent|\bescape|\bunescape|encod|decod/.test(phrase))

export function readEncodingRequest(goal: ToolGoal): EncodingRequest | undefined {
  const split = splitGoalMaterial(goal.text)
  if (split.items.length > 1 || goal.files.length > 1) return undefined
  const [item] = split.items
  const words = split.words.replace(/(?<![\s:,])[\s:,]+$/, '')
  // "Hello" in "Hello in binary" is the text, not a greeting.
  const request = (/^(?:hello|hi|hey) (?:in|to|as|into) /i.test(words) ? words : trimPoliteness(words))
    .replace(/(?<![\s:?!.])[\s:?!.]+$/, '')
    .replace(/^(what|how)['’]s\b/i, '$1s')
  const plain = request.length > maxInline ? undefined : request
  if (plain === undefined || plain.includes('\n')) return undefined
  const phrase = plain.toLowerCase()
  // Positions in the small letters are positions in the goal.
  if (phrase.length !== plain.length) return undefined
  for (const [direction, shape] of shapes) {
    const match = shape.exec(phrase)
    const read =
      match &&
      readShape({
        direction,
        list: match.groups?.list ?? '',
        rest: plain
          .slice(...(match.indices?.groups?.x ?? [0, 0]))
          .replace(/(?<![\s,:])[\s,:]+$/, '')
          .trim(),
        phrase: phrase,
        item,
      })
    if (read === undefined || read === null) continue
    const hasFile = findSourceFile(goal) !== undefined
    return read.text !== undefined && hasFile ? undefined : read
  }
  return goal.files.length === 0 ? guessCode(plain, item) : undefined
}

const guess =
  /^(?:what does|what do|what is|whats|decode|decipher|decrypt|translate|read|unescape)(?: (?:this|these|the following|it|code|message|string))*(?: (?:say|mean|says|means))?(?: (?<x>\S.*?))?(?: (?:say|mean))?$/i

/** Code that says by its look what it is. */
function guessCode(request: string, item: string | undefined): EncodingRequest | undefined {
  const match = guess.exec(request)
  const text = item ?? match?.groups?.x
  if (!match || text === undefined || (item !== undefined && match.groups?.x !== undefined)) return undefined
  const isLong = text.length >= 7 && /\s/.test(text)
  const isAsked = /^(?:decode|unescape)/i.test(request)
  const id =
    isLong && looksEncoded('morse', text)
      ? 'morse'
      : isLong && /^[01]{8}(?: [01]{8})+$/.test(text)
        ? 'binary'
        : isAsked
          ? (['url', 'html'] as const).find((one) => looksEncoded(one, text))
          : undefined
  return id && { codecs: [id], direction: 'decode', text }
}

type ShapeMatch = {
  readonly direction: 'encode' | 'decode' | 'named'
  readonly list: string
  readonly rest: string
  readonly phrase: string
  readonly item: string | undefined
}

function readShape({ direction, list, rest, phrase, item }: ShapeMatch): EncodingRequest | undefined {
  const codecs = listCodecs(list)
  const [first] = codecs
  if (first === undefined || codecs.some((id) => isVague(id, phrase))) return undefined
  // With quoted material, the words may only point to it.
  if (item !== undefined && !isPointer(rest)) return undefined
  // "Translate hello to French in Morse code" has two readings.
  const isDoubtful = /^(?:translate|convert|turn|change)\b/.test(phrase) && /\b(?:to|into|in)\b/i.test(rest)
  const text = item ?? (isPointer(rest) || isDoubtful ? undefined : unquotedText(rest))
  if (item === undefined && text !== undefined && !isInline(text, first)) return undefined
  const isCode = text !== undefined && looksEncoded(first, text)
  if (direction === 'named' && isCode && first === 'hex') return undefined
  const chosen = direction === 'named' ? (isCode ? 'decode' : 'encode') : direction
  if (chosen === 'decode' && codecs.length > 1) return undefined
  return { codecs, direction: chosen, text }
}

/** `the word hello` is `hello`. */
const unquotedText = (rest: string): string =>
  rest.replace(
    /^(?:the |this |following )*(?:text|string|word|words|phrase|sentence|message|letters|letter|name|title)(?: ?:)? (?=\S)/i,
    '',
  )

/** Words that point to something else than themselves cannot be distinguished from a text. */
function isInline(text: string, id: CodecId): boolean {
  if (/^(?:this|that|these|those|it|my|our|the attached|each|every|all|how|why|who|when|what|where|which|is|are|does|do)\b/i.test(text))
    return false
  if (/\b(?:and|then) (?:send|email|e-mail|translate|post|upload|save|write|explain|hash)\b/i.test(text)) return false
  if (/\b(?:rgb|hsl|cmyk|octal|decimal|binary|hex|hexadecimal|roman|markdown|json|yaml|csv|pdf)\b/i.test(text)) return false
  // Numbers are converted between bases by other tools.
  if ((id === 'binary' || id === 'hex' || id === 'ascii') && /^[-+]?[\d.,\s]+$/.test(text) && !/^(?:[01]{7,8}\s?){2,}$/.test(text))
    return /^[01\s]{16,}$/.test(text) || (id === 'ascii' && /^\d+(?:[\s,]+\d+)+$/.test(text))
  return true
}
