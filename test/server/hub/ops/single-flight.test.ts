import { describe, expect, it } from 'vitest'
import { singleFlight } from '../../../../server/hub/ops/single-flight.ts'

describe('singleFlight', () => {
  it('makes one call at a time for all concurrent callers', async () => {
    let asked = 0
    let answer: (value: number) => void = () => undefined
    const ask = singleFlight(() => {
      asked += 1
      return new Promise<number>((resolve) => {
        answer = resolve
      })
    })
    const many = Array.from({ length: 100 }, () => ask())
    answer(7)
    expect([new Set(await Promise.all(many)), asked]).toEqual([new Set([7]), 1])
    const later = ask()
    answer(8)
    expect([await later, asked]).toEqual([8, 2])
  })
})
