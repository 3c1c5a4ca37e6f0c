/** Sentences with slots in English and in other languages, and the translation of a text by them. */
import { type AnswerLanguage, answerLanguages, type InEachLanguage } from './answer-languages.ts'

type TemplatePart = string | { readonly name: string; readonly kind: string }

export type SentenceTemplate = { readonly parts: readonly TemplatePart[]; readonly forms: InEachLanguage }

/** Undefined: the captured words are not of this kind. */
export type SlotWriter = (captured: string, context: AnswerContext) => string | undefined

/** `pattern`: sticky; without it, a slot ends where the next words of the sentence start. */
export type SlotKind = { readonly pattern?: RegExp; readonly write: SlotWriter }

export type AnswerContext = {
  readonly language: AnswerLanguage
  /** True if the words stand in a file, as headings and cells do. */
  readonly isInFile: (words: string) => boolean
  /** How many parts of the answer show cells of the file as a table. */
  readonly shownTables: 'none' | 'some' | 'all'
  readonly kinds: { readonly [kind: string]: SlotKind }
  /** How many places for the end of a slot are still tried, so that hostile texts cost little. */
  readonly attempts: { left: number }
}

/** French puts a space that does not break before these marks and inside its quotation marks. */
const withFrenchSpaces = (form: string): string => form.replace(/ (?=[:;?!»%])/g, '\u00A0').replace(/« /g, '«\u00A0')

/**
 * Reads blocks of five lines that start with `en:`, `de:`, `fr:`, `es:` and `zh:`. `{n:number}` is a slot of a kind in English, and
 * `{n}` its place in the others. `[ where {w:filters}]` may be missing, and goes with the same group of the others.
 */
export function readTemplates(text: string): SentenceTemplate[] {
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== '')
  return blocks.flatMap((block) => {
    const lines = new Map(block.split('\n').flatMap((line) => (/^\w\w: /.test(line) ? [[line.slice(0, 2), line.slice(4)] as const] : [])))
    const form = (language: string): string => {
      const found = lines.get(language)
      if (found === undefined) throw new Error(`A template has no ${language}: ${block}`)
      return found
    }
    const forms = Object.fromEntries(answerLanguages.map((language) => [language, form(language)])) as InEachLanguage
    return variantsOf(form('en'), { ...forms, fr: withFrenchSpaces(forms.fr) })
  })
}

const group = /\[([^\]]*)\]/
/** The first slot of a group is its name. One without a slot has no name. */
const keyOf = (words: string): string => /\{\^?(\w+)/.exec(words)?.[1] ?? ''

/** The template with and without each group that may be missing. */
function variantsOf(english: string, forms: InEachLanguage): SentenceTemplate[] {
  const first = group.exec(english)
  if (!first) return [{ parts: partsOf(english), forms }]
  const key = keyOf(first[1] ?? '')
  const choose = (form: string, isKept: boolean): string =>
    form.replace(/\[([^\]]*)\]/g, (whole, words: string) => (keyOf(words) === key ? (isKept ? words : '') : whole))
  const chosen = (isKept: boolean): SentenceTemplate[] =>
    variantsOf(
      choose(english, isKept),
      Object.fromEntries(answerLanguages.map((language) => [language, choose(forms[language], isKept)])) as InEachLanguage,
    )
  return [...chosen(false), ...chosen(true)]
}

const partsOf = (english: string): TemplatePart[] =>
  english
    .split(/(\{\w+:\w+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, name, kind] = /^\{(\w+):(\w+)\}$/.exec(part) ?? []
      return name !== undefined && kind !== undefined ? { name, kind } : part
    })

type Captures = { readonly [name: string]: string }
type Matching = { readonly parts: readonly TemplatePart[]; readonly text: string; readonly context: AnswerContext }

/** What the slots from a part on hold, written in the language. */
function matchFrom(matching: Matching, index: number, at: number): Captures | undefined {
  const { parts, text, context } = matching
  const part = parts[index]
  if (part === undefined) return at === text.length ? {} : undefined
  if (typeof part === 'string') return text.startsWith(part, at) ? matchFrom(matching, index + 1, at + part.length) : undefined
  const kind = context.kinds[part.kind]
  if (!kind) throw new Error(`No slot is of the kind ${part.kind}.`)
  for (const end of endsOfSlot(matching, index, at)) {
    if (--context.attempts.left < 0) return undefined
    const written = kind.write(text.slice(at, end), context)
    const rest = written === undefined ? undefined : matchFrom(matching, index + 1, end)
    if (rest && written !== undefined) return { ...rest, [part.name]: written }
  }
  return undefined
}

/** Where the slot at a part may end: by its pattern, or wherever the next words stand. */
function* endsOfSlot({ parts, text, context }: Matching, index: number, at: number): Generator<number> {
  const part = parts[index]
  const pattern = typeof part === 'object' ? context.kinds[part.kind]?.pattern : undefined
  if (pattern) {
    pattern.lastIndex = at
    if (pattern.test(text)) yield pattern.lastIndex
    return
  }
  const next = parts[index + 1]
  if (next === undefined) {
    if (at < text.length) yield text.length
    return
  }
  if (typeof next !== 'string') throw new Error('Between two slots stand words, unless the first has a pattern.')
  for (let end = text.indexOf(next, at + 1); end >= 0; end = text.indexOf(next, end + 1)) yield end
}

/** `{^w}` has a capital letter, as at the start of a sentence. */
const fillForm = (form: string, captures: Captures): string =>
  form.replace(/\{(\^?)(\w+)\}/g, (_, isCapital: string, name: string) => {
    const written = captures[name] ?? ''
    return isCapital === '' ? written : written.charAt(0).toUpperCase() + written.slice(1)
  })

/** One sentence or fragment by the first template that fits. */
export function translateSentence(text: string, templates: readonly SentenceTemplate[], context: AnswerContext): string | undefined {
  for (const { parts, forms } of templates) {
    const [first, last] = [parts[0], parts.at(-1)]
    if ((typeof first === 'string' && !text.startsWith(first)) || (typeof last === 'string' && !text.endsWith(last))) continue
    const captures = matchFrom({ parts, text, context }, 0, 0)
    if (captures) return fillForm(forms[context.language], captures)
  }
  return undefined
}

type Beginning = { readonly parts: readonly string[]; readonly end: number }

/** `end`: where the sentences that fit templates end. */
export type TranslatedBeginning = { readonly written: string; readonly end: number }

/** The sentences of a text up to the first that fits no template. Each is as short as the rest allows. A line break stays. */
export function translateBeginning(text: string, templates: readonly SentenceTemplate[], context: AnswerContext): TranslatedBeginning {
  const ends = [...text.matchAll(/[.!?](?=[ \n]|$)|(?<=[^.!?\n])(?=\n)|(?<=[^.!?\n])$/g)].map(({ index, 0: mark }) => index + mark.length)
  const gap = context.language === 'zh' ? '' : ' '
  const known = new Map<number, Beginning>()
  const from = (start: number): Beginning => {
    const found = known.get(start)
    if (found) return found
    let best: Beginning = { parts: [], end: start }
    for (const end of ends.filter((one) => one > start)) {
      const begin = /[^\n]/.exec(text.slice(start, end))?.index ?? 0
      const sentence = translateSentence(text.slice(start + begin, end), templates, context)
      if (sentence === undefined) continue
      const rest: Beginning = end === text.length ? { parts: [], end } : from(end + 1)
      if (rest.end <= best.end && best.parts.length > 0) continue
      const separator = rest.parts.length === 0 ? '' : text[end] === '\n' ? '\n' : gap
      best = { parts: ['\n'.repeat(begin), sentence, separator, ...rest.parts], end: rest.parts.length === 0 ? end : rest.end }
      if (best.end === text.length) break
    }
    known.set(start, best)
    return best
  }
  const { parts, end } = from(0)
  return { written: parts.join(''), end }
}

/** A text of several sentences. Undefined if one fits no template. */
export function translateSentences(text: string, templates: readonly SentenceTemplate[], context: AnswerContext): string | undefined {
  const { written, end } = translateBeginning(text, templates, context)
  return end === text.length ? written : undefined
}
