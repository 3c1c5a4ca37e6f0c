/** Reads what a goal wants to have replaced, such as `replace Anna with [NAME] and Bob with "B"`. */
import type { TextRequest } from './text-request.ts'

export type Replacement = { readonly find: string; readonly replacement: string }

const verb = /^(?:replace|substitute|swap|exchange|change)\s+/i
const noun =
  /^(?:(?:all|every|each|any|the|of|occurrences?|instances?|mentions?|words?|names?|texts?|phrases?|letters?|strings?|character)\s+)*/i
const between = /(?<!\s)\s+(?:with|by|to|for|into)\s+(?:the\s+)?(?:(?:word|name|text|phrase)\s+)?/i
const end = /(?<![\s,])[\s,]*(?:everywhere|throughout|each time|every time|please|globally)*\s*$/i
const pointerEnd =
  /(?<!\s)\s+(?:in|throughout|across|within)\s+(?:(?:the|this|my|our|that|all of|whole|entire|attached|following|given)\s+)*(?:text|file|document|letter|notes?|log|list|paragraph|sentence|article|message|below|contract|essay|page)(?:\s+(?:file|below|above|attached))*$/i

/** Undefined if a part of the sentence is something else. */
export function readReplacementRequest({ raw, quotations }: TextRequest, material: string | undefined): Replacement[] | undefined {
  const [sentence = ''] = raw
  if (raw.length !== 1 || !verb.test(sentence)) return undefined
  const phrase = sentence.replace(verb, '').replace(end, '').replace(pointerEnd, '').replace(end, '')
  const isChange = !/^(?:replace|substitute)/i.test(sentence)
  const found: Replacement[] = []
  for (const part of phrase.split(/\s*(?:,\s*and|,|\sand|;)\s+(?=[^,;]*\s(?:with|by|to)\s)/i)) {
    const sides = part.replace(/^(?:replace|change)\s+/i, '').split(between)
    if (sides.length !== 2) return undefined
    const find = textsOf((sides[0] ?? '').replace(noun, ''), quotations)
    const replacement = textsOf(sides[1] ?? '', quotations)
    if (!find || !replacement || !find.every((one) => isText(one, quotations, material, isChange))) return undefined
    // “Anna and Bob with X” replaces both.
    for (const one of find) found.push({ find: one, replacement: replacement.join(' and ') })
  }
  return found.length > 0 && new Set(found.map(({ find }) => find.toLowerCase())).size === found.length ? found : undefined
}

/** A quotation, a name or a mark; another word only if the text has it. “Change the tone” asks for other work. */
function isText(find: string, quotations: readonly string[], material: string | undefined, isChange: boolean): boolean {
  if (quotations.includes(find) || /^[\p{Lu}\d]/u.test(find) || !/\p{L}/u.test(find)) return true
  return !isChange && (material?.toLowerCase().includes(find.toLowerCase()) ?? false)
}

const characters: { readonly [name: string]: string } = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  space: ' ',
  hyphen: '-',
  underscore: '_',
  period: '.',
  pipe: '|',
  colon: ':',
  newline: '\n',
  'line break': '\n',
}

/** Words of an order of another kind, which are no text to look for. */
const vague =
  /^(?:it|them|this|that|everything|duplicates?|(?:dates?|names?|numbers?|e-?mails?|words?|errors?|typos?|spaces?|commas?|tabs?|line ?breaks?|newlines?|blank lines?|lines?|letters?|quotes?)(?: .*)?|.*\b(?:something|better|synonyms?|translation|uppercase|lowercase|case|correct|each|every|first|last|only|nothing)\b.*)$/i

function textsOf(phrase: string, quotations: readonly string[]): string[] | undefined {
  const parts = phrase.split(/\s+(?:and|or)\s+|\s*,\s+/)
  const values = parts.map((part) => {
    const index = /^⟦(\d+)⟧$/.exec(part.trim())?.[1]
    if (index !== undefined) return quotations[Number(index)]
    const plain = part.trim()
    const character =
      characters[
        plain
          .toLowerCase()
          .replace(/^(?:an?|the)\s+/, '')
          .replace(/s$/, '')
      ]
    if (character !== undefined) return character
    // A single word, or a name of a few words with capitals.
    const isName = /^[\p{Lu}[][^\s]*(?: [\p{Lu}\d][^\s]*){0,3}$/u.test(plain)
    return plain === '' || vague.test(plain) || !(isName || /^[^\s⟦⟧]+$/.test(plain)) ? undefined : plain
  })
  return values.every((one) => one !== undefined && one !== '') ? (values as string[]) : undefined
}
