import { describe, expect, it } from 'vitest'
import { createFairQueue } from '../../../server/threads/fair-queue.ts'

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('createFairQueue', () => {
  it('gives each source its turn, however many one of them waits for', async () => {
    const turns = createFairQueue(1, { together: 100, ofSource: 100 })
    const begun: string[] = []
    const ask = (source: string) => void turns.take(source, 1).then((is) => is && begun.push(source))
    for (const source of ['a', 'a', 'a', 'a', 'b', 'c', 'b']) ask(source)
    await settled()
    for (let n = 0; n < 6; n++) {
      turns.give()
      await settled()
    }
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('lets a source wait for its share alone, and all of them for no more than there is', async () => {
    const turns = createFairQueue(1, { together: 30, ofSource: 10 })
    expect(await turns.take('a', 50)).toBe(true)
    const waits = [turns.take('a', 6), turns.take('b', 10), turns.take('c', 10)]
    expect(await turns.take('a', 5)).toBe(false)
    expect(await turns.take('d', 5)).toBe(false)
    for (const _ of waits) turns.give()
    expect(await Promise.all(waits)).toEqual([true, true, true])
    turns.give()
    expect(await turns.take('d', 50)).toBe(true)
  })
})
