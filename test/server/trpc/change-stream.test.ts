import { describe, expect, it } from 'vitest'
import type { Signal, SignalSource } from '../../../server/signals/signal.ts'
import { changeStream } from '../../../server/trpc/change-stream.ts'

function createListener() {
  const listeners = new Set<(signal: Signal | 'reconnected') => void>()
  const listener: SignalSource = {
    on(one) {
      listeners.add(one)
      return () => listeners.delete(one)
    },
    close: async () => {},
  }
  const publish = (signal: Signal | 'reconnected') => {
    for (const one of listeners) one(signal)
  }
  return { listener, listeners, send: publish }
}

const mine = (signal: Signal) => signal.topic === 'goal' && signal.id === 'gol_1'
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('changeStream', () => {
  it('yields at once, then for what is ours and for a new connection, and not for others', async () => {
    const { listener, send: publish } = createListener()
    const abort = new AbortController()
    let count = 0
    const reading = (async () => {
      for await (const _ of changeStream(listener, mine, abort.signal, 60_000)) count++
    })()
    await settle()
    expect(count).toBe(1)
    publish({ topic: 'goal', id: 'gol_2' })
    publish({ topic: 'room', id: 'gol_1' })
    await settle()
    expect(count).toBe(1)
    publish({ topic: 'goal', id: 'gol_1' })
    await settle()
    expect(count).toBe(2)
    publish('reconnected')
    await settle()
    expect(count).toBe(3)
    abort.abort()
    await reading
  })

  it('loses no signal that comes while the reader works, and joins many into one', async () => {
    const { listener, send: emit } = createListener()
    const stream = changeStream(listener, mine, undefined, 60_000)
    await stream.next()
    emit({ topic: 'goal', id: 'gol_1' })
    emit({ topic: 'goal', id: 'gol_1' })
    expect((await stream.next()).done).toBe(false)
    let isEarly = false
    void stream.next().then(() => {
      isEarly = true
    })
    await settle()
    expect(isEarly).toBe(false)
  })

  it('looks again after silence, and releases the listener at the end', async () => {
    const { listener, listeners } = createListener()
    const abort = new AbortController()
    const stream = changeStream(listener, mine, abort.signal, 5)
    await stream.next()
    expect((await stream.next()).done).toBe(false)
    abort.abort()
    expect((await stream.next()).done).toBe(true)
    expect(listeners.size).toBe(0)
  })
})
