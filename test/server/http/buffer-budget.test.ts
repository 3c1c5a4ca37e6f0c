import { describe, expect, it } from 'vitest'
import { createBufferBudget } from '../../../server/http/buffer-budget.ts'

describe('createBufferBudget', () => {
  const noParty = () => {
    throw new Error('nobody is to end')
  }

  it('gives each sender a share, and takes it back', () => {
    const holdings = createBufferBudget({ maxBytes: 1_000, maxBytesPerSender: 100 })
    const [first, second] = [holdings.open('a', noParty), holdings.open('a', noParty)]
    expect([first.add(60), second.add(60)]).toEqual([true, false])
    second.close()
    expect(holdings.open('b', noParty).add(100)).toBe(true)
    expect(first.add(40)).toBe(true)
    first.close()
    expect(holdings.bytes).toBe(100)
    expect(holdings.open('a', noParty).add(100)).toBe(true)
  })

  it('ends the largest where all together is too much, so that a small one always finds room', () => {
    const holdings = createBufferBudget({ maxBytes: 300, maxBytesPerSender: 300 })
    const ended: string[] = []
    const open = (who: string) => {
      const holding = holdings.open(who, () => {
        ended.push(who)
        holding.close()
      })
      return holding
    }
    const [large, middle, small] = [open('large'), open('middle'), open('small')]
    expect([large.add(180), middle.add(110)]).toEqual([true, true])
    expect(small.add(20)).toBe(true)
    expect(ended).toEqual(['large'])
    expect(middle.add(180)).toBe(false)
    middle.close()
    expect(holdings.bytes).toBe(20)
  })

  it('has no share for what is opened for no one', () => {
    const holdings = createBufferBudget({ maxBytes: 1_000, maxBytesPerSender: 10 })
    expect(holdings.open(null, noParty).add(500)).toBe(true)
  })
})
