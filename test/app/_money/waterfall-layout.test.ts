import { describe, expect, it } from 'vitest'
import { layOutWaterfall } from '../../../app/_money/waterfall-layout.ts'

const lines = [
  { kind: 'funded', label: 'Set aside', amount: 10_000_000n },
  { kind: 'fee', label: 'Platform fee', amount: -100_000n },
  { kind: 'payee', label: 'Plotter', amount: -4_000_000n },
  { kind: 'refund', label: 'Back to the client', amount: -5_900_000n },
] as const

describe('layOutWaterfall', () => {
  it('starts each bar where the one before ended, and ends at zero', () => {
    const { bars, rest, isBalanced } = layOutWaterfall(lines)
    expect(isBalanced).toBe(true)
    expect(rest).toBe(0n)
    expect(bars.map((bar) => bar.after)).toEqual([10_000_000n, 9_900_000n, 5_900_000n, 0n])
    expect(bars.map((bar) => [bar.start, bar.length])).toEqual([
      [0, 1],
      [0.99, 0.01],
      [0.59, 0.4],
      [0, 0.59],
    ])
  })

  it('states what is left over where the lines do not sum to zero', () => {
    expect(layOutWaterfall(lines.slice(0, 3))).toMatchObject({ rest: 5_900_000n, isBalanced: false })
  })

  it('draws nothing out of nothing', () => {
    expect(layOutWaterfall([])).toEqual({ bars: [], rest: 0n, isBalanced: true })
  })
})
