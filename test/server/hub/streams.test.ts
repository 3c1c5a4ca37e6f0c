import { describe, expect, it } from 'vitest'
import { createStreams } from '../../../server/hub/streams.ts'

describe('createStreams', () => {
  it('refuses one more of one reader, and one more in all, until another has ended', () => {
    const streams = createStreams({ inAll: 3, ofOne: 2 })
    const refuses = (who: string) => expect(() => streams.take(who)).toThrow(expect.objectContaining({ code: 'rate.exceeded' }))
    const [first] = [streams.take('a'), streams.take('a')]
    refuses('a')
    streams.take('b')
    refuses('c')
    first?.()
    first?.()
    expect(streams.size).toBe(2)
    streams.take('c')
    refuses('c')
  })
})
