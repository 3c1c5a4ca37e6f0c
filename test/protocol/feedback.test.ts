import { Feedback, type Judgement, scoreOf } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import vectors from '../../protocol/vectors/valid/feedback.json' with { type: 'json' }

const judgement = fc.record({ value: fc.integer({ min: 0, max: 100 }), by: fc.constantFrom('a', 'b', 'c', 'd'), weight: fc.constant(1n) })
const judgementOf = (by: string, value: number): Judgement => ({ by, value, weight: 1n })

describe('scoreOf', () => {
  it('starts at the prior, without a mean', () => {
    expect(scoreOf([])).toEqual({ n: 0, mean: null, score: 70 })
  })

  it('stays between 0 and 100, between the prior and the ratings', () => {
    fc.assert(
      fc.property(fc.array(judgement, { minLength: 1 }), (all) => {
        const { n, mean, score } = scoreOf(all)
        expect(n).toBe(all.length)
        expect(mean).toBeCloseTo(all.reduce((sum, one) => sum + one.value, 0) / all.length, 9)
        const values = all.map((one) => one.value)
        expect(score).toBeGreaterThanOrEqual(Math.min(70, ...values))
        expect(score).toBeLessThanOrEqual(Math.max(70, ...values))
      }),
    )
  })

  it('lets one judge count once, however often it speaks', () => {
    const once = scoreOf([judgementOf('a', 100)])
    const often = scoreOf(Array.from({ length: 50 }, () => judgementOf('a', 100)))
    expect(often.score).toBe(once.score)
    expect(scoreOf([judgementOf('a', 100), judgementOf('b', 100)]).score).toBeGreaterThan(once.score)
  })

  it('comes closer to the ratings with each judge', () => {
    const scores = [1, 2, 10, 100].map(
      (count) => scoreOf(Array.from({ length: count }, (_, judge) => judgementOf(String(judge), 90))).score,
    )
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
    expect(scores.at(-1)).toBeGreaterThan(89)
  })
})

it('Feedback carries who judged whom, for which step', () => {
  expect(Feedback.parse(vectors.cases[0]?.value)).toEqual(vectors.cases[0]?.value)
})
