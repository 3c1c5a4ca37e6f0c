import { heartbeatMs } from '@parley/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { doorUrl, openLink, waitMs } from '../../agents/src/link.ts'

/** A socket whose other side is the test. It stays half open when nobody closes it, as a dead peer leaves it. */
class TestSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static all: TestSocket[] = []
  readyState = TestSocket.OPEN
  sent: string[] = []
  constructor() {
    super()
    TestSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.readyState = 2
  }
  say(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  end() {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
}

const backoff = { baseMs: 100, capMs: 1_000, random: () => 1 }
let downs: number
const open = () => openLink('ws://x', { text: () => {}, down: () => void downs++ }, backoff)

beforeEach(() => {
  downs = 0
  TestSocket.all = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('WebSocket', TestSocket)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('openLink', () => {
  it('gives up a connection that has been silent for three heartbeats, and comes back', () => {
    const link = open()
    vi.advanceTimersByTime(3 * heartbeatMs - 1)
    TestSocket.all[0]?.say('{}')
    vi.advanceTimersByTime(3 * heartbeatMs - 1)
    expect(downs).toBe(0)
    vi.advanceTimersByTime(1)
    expect(downs).toBe(1)
    expect(link.send('x')).toBe(false)
    vi.advanceTimersByTime(100)
    expect(TestSocket.all).toHaveLength(2)
    // The dead one's late end is no news.
    TestSocket.all[0]?.end()
    expect(downs).toBe(1)
    expect(link.send('x')).toBe(true)
    link.stop()
  })

  it('waits longer each time, up to the cap, until a connection has lasted', () => {
    const link = open()
    const waits: number[] = []
    const fall = () => {
      const count = TestSocket.all.length
      TestSocket.all.at(-1)?.end()
      let waited = 0
      while (TestSocket.all.length === count && waited < 5_000) {
        vi.advanceTimersByTime(100)
        waited += 100
      }
      waits.push(waited)
    }
    for (let times = 0; times < 6; times++) fall()
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000])
    link.welcomed()
    fall()
    expect(waits.at(-1)).toBe(1_000)
    link.welcomed()
    vi.advanceTimersByTime(5_000)
    fall()
    expect(waits.at(-1)).toBe(100)
    link.stop()
  })

  it('stays away once it was stopped', () => {
    const link = open()
    link.stop()
    vi.advanceTimersByTime(60_000)
    expect(TestSocket.all).toHaveLength(1)
    expect(downs).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('waitMs', () => {
  it('is anything from nothing to the exponential bound, never above the cap', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
        const wait = waitMs(attempt, { baseMs: 250, capMs: 30_000, random: () => chance })
        return wait >= 0 && wait <= Math.min(30_000, 250 * 2 ** attempt) + 1
      }),
    )
    expect(waitMs(3, { baseMs: 250, capMs: 30_000, random: () => 0 })).toBe(0)
  })
})

describe('doorUrl', () => {
  it('finds the door from what people write', () => {
    expect(doorUrl('http://localhost:4000')).toBe('ws://localhost:4000/ioa')
    expect(doorUrl('https://parley.example/')).toBe('wss://parley.example/ioa')
    expect(doorUrl('wss://parley.example/agents/ioa')).toBe('wss://parley.example/agents/ioa')
  })
})
