/** Rows of the dynamic programme, for words of up to 64 letters. */
const rows = [new Uint8Array(65), new Uint8Array(65), new Uint8Array(65)] as const

/**
 * The Damerau-Levenshtein distance of two words (optimal string alignment): insertions, deletions, substitutions, and transpositions of
 * neighbours. Returns `max + 1` as soon as the distance exceeds `max`, and for words of more than 64 letters.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max || b.length > 64) return max + 1
  let [older, previous, row] = rows as readonly Uint8Array[] as [Uint8Array, Uint8Array, Uint8Array]
  for (let j = 0; j <= b.length; j++) previous[j] = j
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - max)
    const to = Math.min(b.length, i + max)
    row[from - 1] = from === 1 ? i : max + 1
    let lowest = max + 1
    for (let j = from; j <= to; j++) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      const above = j === i + max ? max : (previous[j] as number)
      let cost = Math.min((previous[j - 1] as number) + (isSame ? 0 : 1), above + 1, (row[j - 1] as number) + 1)
      const isSwapped = i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      if (isSwapped) cost = Math.min(cost, (older[j - 2] as number) + 1)
      row[j] = cost
      if (cost < lowest) lowest = cost
    }
    if (lowest > max) return max + 1
    ;[older, previous, row] = [previous, row, older]
  }
  return Math.min(previous[b.length] as number, max + 1)
}
