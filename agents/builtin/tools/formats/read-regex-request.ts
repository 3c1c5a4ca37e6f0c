/** Reads a goal that tests a regular expression: the pattern, its flags and the texts. */

export type RegexRequest = {
  readonly pattern: string
  /** Of `i`, `m` and `s`. */
  readonly flags: string
  /** `find`: every match in one text. `test`: whether each text matches. */
  readonly action: 'test' | 'find'
  readonly texts: readonly string[]
}

const literal =
  '`[^`\\n]{1,500}`|"[^"\\n]{1,500}"|“[^”\\n]{1,500}”|(?<![\\w])\'[^\'\\n]{1,500}\'(?!\\w)|/(?:[^/\\\\\\s]|\\\\.){1,500}/[gimsuy]{0,6}(?![\\w/])|\\S{1,500}'
const noun = '(?:regex(?:p|es)?|reg ex|regular expressions?|reg exp|pattern|expression)'
const the = '(?:(?:the|this|my|a|following|our) )?'
const string = '(?:the )?(?:following )?(?:string|text|word|value|input|sentence|line|strings|texts|lines|values|words|inputs)'

/** Each shape: the pattern `p` and the rest `s`, which is everything after it. */
const shapes: readonly (readonly ['test' | 'find', RegExp])[] = [
  [
    'test',
    new RegExp(
      `^(?:test|try|check|run|evaluate|apply|match) ${the}${noun}\\s*:?\\s+(?<p>${literal})\\s*,?\\s*(?:against|on|with|for|in|to|matches)\\s*:?\\s+(?<s>[\\s\\S]+)$`,
      'i',
    ),
  ],
  [
    'test',
    new RegExp(
      `^(?:test|check|see|tell me)(?: (?:if|whether))? ${the}${noun}\\s*:?\\s+(?<p>${literal})\\s+match(?:es)?\\s*:?\\s+(?<s>[\\s\\S]+)$`,
      'i',
    ),
  ],
  [
    'test',
    new RegExp(
      `^(?:does|do|will|would|can) ${the}(?:${noun}\\s*:?\\s+)?(?<p>${literal})\\s+(?:match|accept|fit)\\s*:?\\s+(?<s>[\\s\\S]+)$`,
      'i',
    ),
  ],
  [
    'test',
    new RegExp(
      `^(?:does|do|will|would|check (?:if|whether)|test (?:if|whether)|see if|is) (?<s>\\S[^\\n]{0,600}?)\\s+(?:match(?:es)?|fit|fits|satisfy|matched by|accepted by)(?: with)? ${the}(?:${noun}\\s*:?\\s+)?(?<p>${literal})$`,
      'i',
    ),
  ],
  [
    'test',
    new RegExp(
      `^${noun}\\s*(?:tester|test)?\\s*:?\\s+(?<p>${literal})\\s*[,;]?\\s*(?:${string}s?|against|on)\\s*:?\\s+(?<s>[\\s\\S]+)$`,
      'i',
    ),
  ],
  [
    'test',
    /^(?:test|try|check) (?<p>`[^`\n]{1,500}`|\/(?:[^/\\\s]|\\.){1,500}\/[gimsuy]{0,6})\s+(?:against|on|with)\s*:?\s+(?<s>[\s\S]+)$/i,
  ],
  [
    'test',
    new RegExp(
      `^(?:which|what)(?: ones?)?(?: of)? (?:these|those|the following|them)(?: \\p{L}+)?(?: do)? match(?:es)?(?: with)? ${the}(?:${noun}\\s*:?\\s+)?(?<p>${literal})\\s*[?:]?\\s+(?<s>[\\s\\S]+)$`,
      'iu',
    ),
  ],
  [
    'find',
    new RegExp(
      `^(?:find|list|show|extract|get|give me|what are) (?:all |every )?(?:the )?(?:match(?:es)?|everything matching|everything that matches|all matching)(?: of| for)? ${the}(?:${noun}\\s*:?\\s+)?(?<p>${literal})\\s+(?:in|from|within|against)\\s*:?\\s+(?<s>[\\s\\S]+)$`,
      'i',
    ),
  ],
  [
    'find',
    new RegExp(
      `^(?:what does|what would|what do) ${the}(?:${noun}\\s*:?\\s+)?(?<p>${literal})\\s+match (?:in|within)\\s*:?\\s+(?<s>[\\s\\S]+)$`,
      'i',
    ),
  ],
]

const polite = /^(?:(?:please|hi|hello|hey|can you|could you|would you|i need you to|i want to|i'd like to|help me|just)[ ,!]+)+/i
const thanks = /(?<![\s,.!])[\s,.!]+(?:please|thanks|thank you|thx)[\s.!]*$/i
const maxGoal = 12_000

export function readRegexRequest(goal: string): RegexRequest | undefined {
  if (goal.length > maxGoal) return undefined
  const text = goal
    .trim()
    .replace(polite, '')
    .replace(thanks, '')
    .replace(/```[\w-]*\n?|\n?```/g, '\n')
    .trim()
  // The mark of a question is no part of the pattern.
  const asked = /^(?:does|do|is|are|will|would|can|what)\b/i.test(text) ? text.replace(/(?<!\s)\s*\?+$/, '') : text
  for (const [action, shape] of shapes) {
    const match = shape.exec(asked)
    const { p: written = '', s: rest = '' } = match?.groups ?? {}
    // "Does a match the regex b" names the pattern last.
    if (!match || new RegExp(`^(?:the |this |my )?${noun}\\s+\\S`, 'i').test(rest)) continue
    // A backslash, a class or an anchor shows that it is a pattern.
    const isMarked = /^[`"“'/^]|\\[dwsb]|\[[^\]\s]+\][+*{]|\S\$$/.test(written)
    if (!isMarked && !new RegExp(`\\b${noun}\\b`, 'i').test(text.slice(0, 80) + text.slice(-80))) continue
    // A plain word is no pattern unless it is named as one.
    if (!isMarked && !/[\\^$.*+?()[\]{}|]/.test(written)) continue
    return requestOf(action, written, rest)
  }
  return undefined
}

function requestOf(action: 'test' | 'find', written: string, rest: string): RegexRequest | undefined {
  const slashes = /^\/(.+)\/([a-z]*)$/.exec(/^[`"“']/.test(written) ? written.slice(1, -1) : written)
  const bare = /^[`"“']/.test(written) ? written.slice(1, -1) : written
  const words = /^([\s\S]*?)[\s,]*\(?\b(?:case[- ]?insensitive(?:ly)?|ignoring case|ignore case)\)?[\s.?!]*$/i.exec(rest)
  const flags = [...new Set(`${slashes?.[2] ?? ''}${words ? 'i' : ''}`)].filter((flag) => 'ims'.includes(flag)).join('')
  const material = (words?.[1] ?? rest).trim()
  const texts =
    action === 'find' ? [unquote(material.replace(new RegExp(`^${string}s?\\s*:?\\s+(?=["“\`'])`, 'i'), ''))] : splitTexts(material)
  if (texts.length === 0 || texts.length > 50 || texts.some((one) => one === '')) return undefined
  return { pattern: slashes?.[1] ?? bare, flags, action, texts }
}

const quoted = /"([^"\n]*)"|“([^”\n]*)”|`([^`\n]*)`|(?<!\w)'([^'\n]*)'(?!\w)/g

const unquote = (text: string): string => /^(["“`'])([\s\S]*)["”`']$/.exec(text)?.[2] ?? text

/** Quoted texts; lines; or items between commas and "and". */
function splitTexts(material: string): string[] {
  const plain = material.replace(new RegExp(`^(?:these |those )?${string}s?\\s*:?\\s+(?=\\S)`, 'i'), '').replace(/\?$/, '')
  const marks = [...plain.matchAll(quoted)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '')
  if (marks.length > 0) return /^(?:[\s,;&.?]|and|or)*$/i.test(plain.replace(quoted, ' ')) ? marks : []
  const lines = plain
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  if (lines.length > 1) return lines.map((line) => line.replace(/^[-*•] /, ''))
  const items = (/\s\/\s/.test(plain) ? plain.replace(/\s+\/\s+/g, ', ') : plain)
    .split(/\s*,\s*(?:and |or )?|\s+(?:and|or)\s+/)
    .map((item) => item.trim())
  // Items with blanks inside are one sentence.
  return items.every((item) => item !== '' && !/\s/.test(item)) ? items : [plain.trim()]
}
