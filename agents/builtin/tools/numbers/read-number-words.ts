/** Reads numbers that are written as English words. */

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const magnitudes: { readonly [word: string]: bigint } = {
  dozen: 12n,
  hundred: 100n,
  thousand: 1_000n,
  million: 1_000_000n,
  billion: 1_000_000_000n,
  trillion: 1_000_000_000_000n,
}
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')

/** The factor of a word such as `million`. */
export const magnitudeOf = (word: string): bigint | undefined => (Object.hasOwn(magnitudes, word) ? magnitudes[word] : undefined)

/** The value of a word below one hundred, such as `seven` or `twenty`. */
export function smallNumberOf(word: string): number | undefined {
  const unit = units.indexOf(word)
  if (unit >= 0) return unit
  const ten = tens.indexOf(word)
  return ten >= 0 ? (ten + 2) * 10 : undefined
}

/** The place of an ordinal: `fifth`, `fifths` and `5th` give 5, `half` gives 2, `quarter` gives 4. */
export function ordinalOf(word: string): number | undefined {
  if (word === 'half' || word === 'halves') return 2
  if (word === 'quarter' || word === 'quarters') return 4
  const digits = /^(\d{1,6})(?:st|nd|rd|th)$/.exec(word)?.[1]
  if (digits !== undefined) return Number(digits)
  const found = ordinals.indexOf(ordinals.includes(word) ? word : word.replace(/s$/, ''))
  return found >= 0 ? found + 1 : undefined
}

/** The number that begins at a word, and how many words it takes. Undefined: the word is no number. */
export function readNumberWords(words: readonly string[], start = 0): { readonly value: bigint; readonly count: number } | undefined {
  let [total, group, index] = [0n, 0n, start]
  let isAny = false
  while (index < words.length) {
    const word = words[index] ?? ''
    const next = words[index + 1] ?? ''
    const small = smallNumberOf(word)
    const magnitude = magnitudeOf(word)
    if (small !== undefined) {
      // "twenty five" is one number, "five twenty" are two.
      const isJoined = group % 100n === 0n || (group % 10n === 0n && group % 100n >= 20n && small > 0 && small < 10)
      if (!isJoined) break
      group += BigInt(small)
    } else if (magnitude !== undefined && isAny) {
      if (magnitude <= 100n) group = (group === 0n ? 1n : group) * magnitude
      else {
        total += (group === 0n ? 1n : group) * magnitude
        group = 0n
      }
    } else if ((word === 'a' || word === 'one') && magnitudeOf(next) !== undefined && !isAny) group = 1n
    else if (!(word === 'and' && isAny && group % 100n === 0n && group + total > 0n && smallNumberOf(next) !== undefined)) break
    isAny = true
    index++
  }
  return isAny ? { value: total + group, count: index - start } : undefined
}
