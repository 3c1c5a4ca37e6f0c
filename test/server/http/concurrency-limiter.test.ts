import { describe, expect, it } from 'vitest'
import { createConcurrencyLimiter } from '../../../server/http/concurrency-limiter.ts'

describe('createConcurrencyLimiter', () => {
  it('refuses one more of one reader, and one more in all, until another has ended', () => {
    const streams = createConcurrencyLimiter({ maxTotal: 3, maxPerCaller: 2 })
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

  it('counts one place for each name that it is taken under', () => {
    const streams = createConcurrencyLimiter({ maxTotal: 10, maxPerCaller: 2 })
    const end = streams.take('address', 'ann')
    streams.take('address', 'bob')
    expect(() => streams.take('address', 'cora')).toThrow(expect.objectContaining({ code: 'rate.exceeded' }))
    expect(streams.size).toBe(2)
    end()
    streams.take('elsewhere', 'bob')
    expect(() => streams.take('third', 'bob')).toThrow(expect.objectContaining({ code: 'rate.exceeded' }))
    streams.take('address', 'cora')
  })
})
