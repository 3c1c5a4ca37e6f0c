/** Writes lists and fragments of sentences in a language. */
import type { AnswerLanguage, InEachLanguage } from './answer-languages.ts'
import { type SentenceTemplate, type SlotWriter, translateSentence } from './sentence-template.ts'
import { writeLocalNumber } from './write-local-number.ts'

export const withCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A fragment by templates. At the start of a sentence it has a capital letter. */
export const fragment =
  (templates: readonly SentenceTemplate[]): SlotWriter =>
  (text, context) => {
    const written = translateSentence(text, templates, context)
    if (written !== undefined || !/^[A-Z]/.test(text)) return written
    const inside = translateSentence(text.charAt(0).toLowerCase() + text.slice(1), templates, context)
    // Chinese has no capital letters, so that a heading would get one.
    return inside === undefined || context.language === 'zh' ? inside : withCapital(inside)
  }

const andWords: InEachLanguage = { de: ' und ', fr: ' et ', es: ' y ', zh: ' 和 ' }
const orWords: InEachLanguage = { de: ' oder ', fr: ' ou ', es: ' o ', zh: ' 或 ' }

export const semicolons: InEachLanguage = { de: '; ', fr: '\u00A0; ', es: '; ', zh: '；' }

/** Spanish writes another word before the same vowel. */
function joint(separator: string, next: string, language: AnswerLanguage): string {
  if (separator === '; ') return semicolons[language]
  if (separator === ', ') return language === 'zh' ? '、' : ', '
  const isAnd = separator.trim() === 'and'
  if (language === 'es' && (isAnd ? /^(?:i|hi(?!e))/i : /^h?o/i).test(next)) return isAnd ? ' e ' : ' u '
  return (isAnd ? andWords : orWords)[language]
}

type ListOptions = {
  readonly separators?: RegExp
  /** True: parts are as long as they can be, for names that hold a separator. */
  readonly isGreedy?: boolean
  /** Between parts that end with a number, which may have a comma. */
  readonly comma?: string
}

/** A list such as `a, b and c`, of which each part is written on its own. */
export const listWriter =
  (write: SlotWriter, { separators = /, | and /g, isGreedy = false, comma = ', ' }: ListOptions = {}): SlotWriter =>
  (text, context) => {
    const breaks = [...text.matchAll(separators)].map((match) => ({ at: match.index, end: match.index + match[0].length, mark: match[0] }))
    const from = (start: number): string | undefined => {
      const stops = [...breaks.filter(({ at }) => at > start), { at: text.length, end: text.length, mark: '' }]
      for (const stop of isGreedy ? stops.reverse() : stops) {
        if (--context.attempts.left < 0) return undefined
        const part = write(text.slice(start, stop.at), context)
        if (part === undefined) continue
        if (stop.mark === '') return part
        const rest = from(stop.end)
        if (rest !== undefined) return `${part}${joint(stop.mark === ', ' ? comma : stop.mark, rest, context.language)}${rest}`
      }
      return undefined
    }
    return from(0)
  }

const moreWords: InEachLanguage<(n: string) => string> = {
  de: (n) => ` und ${n} weitere`,
  fr: (n) => ` et ${n} de plus`,
  es: (n) => ` y ${n} más`,
  zh: (n) => `，另有 ${n} 个`,
}

/** The end of a list that is too long for a sentence. */
export const withMore =
  (write: SlotWriter): SlotWriter =>
  (text, context) => {
    const [, list = text, more] = /^(.*) and (\d+) more$/s.exec(text) ?? []
    const written = write(list, context)
    return written === undefined || more === undefined
      ? written
      : `${written}${moreWords[context.language](writeLocalNumber(more, context.language))}`
  }
