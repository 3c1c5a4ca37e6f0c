/** True if the words differ by one typing error, or by two if they are long. */
export function isTypingError(a: string, b: string, max = Math.min(a.length, b.length) >= 8 ? 2 : 1): boolean {
  if (Math.min(a.length, b.length) < 4 || Math.abs(a.length - b.length) > max || a[0] !== b[0]) return false
  return distance(a.slice(0, 40), b.slice(0, 40), max) <= max
}

/** Insertions, deletions, replacements and exchanges of neighbours (optimal string alignment). Any number above `max` means more. */
function distance(a: string, b: string, max: number): number {
  let [before, previous] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      if (Math.abs(i - j) > max) {
        row.push(max + 1)
        continue
      }
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j - 1] ?? 0) + 1, (previous[j] ?? 0) + 1, (previous[j - 1] ?? 0) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    before = previous
    previous = row
  }
  return previous[b.length] ?? 0
}

/** English words that are no typing errors of headings. */
export const neverTypingErrors = new Set(
  'where which there their these those that this with what when have from were does they them then than been some such only into onto also most many much more less each every over under about above below after before between within without against during until since while whose whom will would could should shall might must please tell give show find list count order sales sort data table file row rows column columns csv line lines state rate date late same share number numbers name names value values single cost costs price prices place made make makes need want know like used using time times year years month months week weeks'.split(
    ' ',
  ),
)
