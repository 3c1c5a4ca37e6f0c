/** Texts without capitals and accents, so that patterns on them are short and fast. */

/** `Élodie` as `elodie`. Chinese and other scripts stay. */
export const foldCaseAndAccents = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')

/** A pattern over plain text from one that is written with letters of all languages. It starts and ends at the border of a word. */
export function plainPattern(source: string, flags = 'g'): RegExp {
  const plain = foldCaseAndAccents(source.replaceAll('\\p{L}', '\u0001').replaceAll('\\S', '\u0002'))
    .replaceAll('\u0001', '[a-zß]')
    .replaceAll('\u0002', '\\S')
  const han = splitAlternatives(plain).filter((one) => /^\p{Script=Han}/u.test(one))
  const others = splitAlternatives(plain).filter((one) => !han.includes(one))
  const words = others.length > 0 ? `(?<![a-zß0-9])(?:${others.join('|')})(?![a-zß0-9])` : ''
  return new RegExp([words, ...han].filter((one) => one !== '').join('|'), flags)
}

/** The alternatives of a pattern that stand outside brackets. */
function splitAlternatives(source: string): string[] {
  const parts: string[] = ['']
  let depth = 0
  let isSet = false
  for (let at = 0; at < source.length; at++) {
    const mark = source[at] ?? ''
    if (mark === '\\') {
      parts[parts.length - 1] += mark + (source[++at] ?? '')
      continue
    }
    if (mark === '[') isSet = true
    if (mark === ']') isSet = false
    if (mark === '(' && !isSet) depth++
    if (mark === ')' && !isSet) depth--
    if (mark === '|' && depth === 0 && !isSet) parts.push('')
    else parts[parts.length - 1] += mark
  }
  return parts
}
