import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planDiff } from '../../../../../../app/goals/[id]/_run/rooms/plan-diff.ts'

describe('planDiff', () => {
  it('keeps what stayed, and states what went and what came', () => {
    expect(planDiff('Read.\nDraw.\nSend.', 'Read.\nDraw twice.\nSend.')).toEqual([
      { kind: 'same', text: 'Read.' },
      { kind: 'out', text: 'Draw.' },
      { kind: 'in', text: 'Draw twice.' },
      { kind: 'same', text: 'Send.' },
    ])
    expect(planDiff('Read.', 'Read.')).toEqual([{ kind: 'same', text: 'Read.' }])
  })
  it('gives back both texts also where they are long', () => {
    const textOf = (lines: ReturnType<typeof planDiff>, kind: 'in' | 'out') =>
      lines.flatMap((line) => (line.kind === 'same' || line.kind === kind ? [line.text] : [])).join('\n')
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n'))
    const both = (before: string, after: string) => {
      const lines = planDiff(before, after)
      expect([textOf(lines, 'out'), textOf(lines, 'in')]).toEqual([before, after])
    }
    fc.assert(fc.property(text, text, both), { numRuns: 200 })
    both('a\n'.repeat(1_200), 'b')
  })
})
