import { limitReached, noRoomLimits, type SpentBudget, simhash } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const spent = (recent: string[]): SpentBudget => ({ messages: recent.length, bytes: 900, by: { a: 2, b: 1 }, recent })
const spentOn = (...texts: string[]) => spent(texts.map(simhash))
const question = 'Shall we take the quarterly figures of the national bank, or the monthly ones that the ministry gives out?'

describe('limitReached', () => {
  it('lets everything pass without limits', () => {
    expect(limitReached(spentOn(...Array.from({ length: 8 }, () => question)), 'a', noRoomLimits)).toBeNull()
  })
  it.each([
    [{ messages: 3 }, /all 3 messages/],
    [{ messagesEach: 2 }, /One agent .* 2 messages/],
    [{ bytes: 900 }, /900 bytes/],
  ])('states which bound was reached: %o', (limits, sentence) => {
    expect(limitReached(spent(['1', '2', '3']), 'a', { ...noRoomLimits, ...limits })).toMatch(sentence)
  })
  it('leaves alone who has not used up its own', () => {
    expect(limitReached(spent([]), 'b', { ...noRoomLimits, messagesEach: 2 })).toBeNull()
  })
  it('stops a circle of near the same words, and no talk that continues', () => {
    const limits = { ...noRoomLimits, repeats: 2 }
    expect(limitReached(spentOn(question, `${question} 2`, question.toUpperCase()), 'a', limits)).toMatch(/repeat themselves/)
    expect(
      limitReached(spentOn(question, 'The monthly ones, they are complete.', 'Good: I draw them as a line, from 2010 on.'), 'a', limits),
    ).toBeNull()
  })
})

describe('simhash', () => {
  it('is 16 hex digits or nothing, and doesn’t see case, digits and marks', () => {
    fc.assert(fc.property(fc.string(), (text) => /^([0-9a-f]{16})?$/.test(simhash(text))))
    expect(simhash('Hello, world 1!')).toBe(simhash('hello world'))
    expect(simhash('!?')).toBe('')
  })
})
