/** The use of a hold as a waterfall chart. The last bar must end at zero. */
export type WaterfallLine = {
  readonly kind: 'funded' | 'fee' | 'payee' | 'credit' | 'refund' | 'held' | 'loss' | 'processing'
  readonly label: string
  /** Above zero for income, below for expenses. */
  readonly amount: bigint
}
export type WaterfallBar = WaterfallLine & {
  /** What remains after this line. */
  readonly after: bigint
  /** Start and length of the bar, as a share of the funded amount, 0…1. */
  readonly start: number
  readonly length: number
}
export type Waterfall = { readonly bars: readonly WaterfallBar[]; readonly rest: bigint; readonly isBalanced: boolean }

/** A share with six digits, for drawing only. Amounts stay exact. */
function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000
}

export function layOutWaterfall(lines: readonly WaterfallLine[]): Waterfall {
  const funded = lines.filter((line) => line.amount > 0n).reduce((sum, line) => sum + line.amount, 0n)
  let running = 0n
  const bars = lines.map((line): WaterfallBar => {
    const before = running
    running += line.amount
    const low = before < running ? before : running
    const size = line.amount < 0n ? -line.amount : line.amount
    return { ...line, after: running, start: shareOf(low, funded), length: shareOf(size, funded) }
  })
  return { bars, rest: running, isBalanced: running === 0n }
}
