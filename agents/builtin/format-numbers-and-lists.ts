/** Formats numbers, shares and lists for texts that people read. */

/** 1234567.891 → "1,234,567.9". Larger numbers have fewer decimals. */
export function formatNumber(value: number): string {
  const size = Math.abs(value)
  const digits = Number.isInteger(value) ? 0 : size >= 1_000 ? 1 : size >= 1 ? 2 : 4
  return new Intl.NumberFormat('en-US', { maximumFractionDigits: digits }).format(value).replace(/^-0$/, '0')
}

/** 0.0873 → "8.7 %"; "+8.7 %" if `signed`. */
export function formatPercent(share: number, signed = false): string {
  const text = (share * 100).toFixed(1).replace(/^-(0\.0)$/, '$1')
  return `${signed && share > 0 && text !== '0.0' ? '+' : ''}${text} %`
}

/** "a", "a and b", "a, b and c". */
export function formatList(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? ''
  return `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`
}
