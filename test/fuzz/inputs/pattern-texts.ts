/** Texts that a pattern allows and that its author may not have thought of. */
import fc from 'fast-check'

/** What breaks headers, addresses, pages, tables, names or databases. */
const letters: readonly string[] = [
  '€',
  'é',
  '\r\n',
  '\n',
  '"',
  "'",
  '<',
  '\u202e',
  '\u200b',
  '\0',
  '😀',
  ' ',
  '%',
  '/',
  '\\',
  ';',
  ',',
  '=',
  '\ufeff',
  '\u0660',
]
const samples = 8
const maxLength = 300

const known = new Map<string, readonly string[]>()

/** For each letter that the pattern allows anywhere, a text that contains it. */
export function patternTexts(pattern: RegExp): readonly string[] {
  const key = `${pattern.source}/${pattern.flags}`
  const made = known.get(key) ?? findTexts(pattern)
  known.set(key, made)
  return made
}

function findTexts(pattern: RegExp): string[] {
  const texts = sampled(pattern).filter(({ length }) => length <= maxLength)
  return letters.flatMap((letter) => {
    for (const text of texts)
      for (let at = 0; at <= text.length; at++) {
        const replaced = [`${text.slice(0, at)}${letter}${text.slice(at + 1)}`, `${text.slice(0, at)}${letter}${text.slice(at)}`]
        const fitting = replaced.find((one) => pattern.test(one))
        if (fitting !== undefined) return [fitting]
      }
    return []
  })
}

function sampled(pattern: RegExp): string[] {
  try {
    return fc.sample(fc.stringMatching(pattern, { size: 'medium' }), { seed: 7, numRuns: samples })
  } catch {
    // Some syntax cannot be generated.
    return []
  }
}
