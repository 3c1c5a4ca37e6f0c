/** Corrects typing errors in the words that a tool knows. */

/** Shorter words have too many neighbours. */
const minLength = 6

/** True if one letter is missing, added, replaced, or exchanged with the next one. */
function isSlip(written: string, meant: string): boolean {
  if (written === meant || Math.abs(written.length - meant.length) > 1) return false
  let start = 0
  while (start < written.length && written[start] === meant[start]) start++
  const [left, right] = [written.slice(start), meant.slice(start)]
  if (left.length === right.length)
    return left.slice(1) === right.slice(1) || (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  return left.length < right.length ? left === right.slice(1) : left.slice(1) === right
}

/**
 * Words of at least six small letters that differ in one letter from exactly one word of the vocabulary become that word. Names and
 * numbers stay. Plural forms of known words are no slips.
 */
export function correctTypingErrors(sentence: string, vocabulary: ReadonlySet<string>): string {
  const known = [...vocabulary].filter((word) => word.length >= minLength)
  return sentence.replace(/(?<![\p{L}\p{N}_.@/'’-])\p{Ll}{6,24}(?![\p{L}\p{N}_@/'’-]|\.\p{L})/gu, (word) => {
    if (vocabulary.has(word) || vocabulary.has(`${word}s`) || (word.endsWith('s') && vocabulary.has(word.slice(0, -1)))) return word
    const meant = known.filter((one) => isSlip(word, one))
    return meant.length === 1 || (meant.length === 2 && `${meant[0]}s` === meant[1]) ? (meant[0] ?? word) : word
  })
}
