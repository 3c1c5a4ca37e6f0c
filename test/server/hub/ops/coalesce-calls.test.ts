import { describe, expect, it } from 'vitest'
import { coalesceCalls } from '../../../../server/hub/ops/coalesce-calls.ts'

describe('coalesceCalls', () => {
  it('makes one call at a time for all concurrent callers', async () => {
    let asked = 0
    let answer: (value: number) => void = () => undefined
    const ask = coalesceCalls(() => {
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
