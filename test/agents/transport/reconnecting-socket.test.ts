import { heartbeatMs } from '@parley/protocol'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoffMs, hubSocketUrl, openReconnectingSocket, readRestartDelayMs } from '../../../agents/src/transport/reconnecting-socket.ts'

/** A socket whose other side is the test. It stays half open when no one closes it, as a dead peer leaves it. */
class TestSocket extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  readonly CONNECTING = 0
  readonly OPEN = 1
  static all: TestSocket[] = []
  readyState = TestSocket.OPEN
  sent: string[] = []
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    TestSocket.all.push(this)
  }
  send(text: string) {
    this.sent.push(text)
  }
  close() {
    this.readyState = 2
  }
  pushFrame(data: string) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
  end(code = 1006, reason = '') {
    this.readyState = 3
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }))
  }
}

const backoff = { baseMs: 100, capMs: 1_000, random: () => 1 }
let downs: number
const open = () => openReconnectingSocket('ws://x', { text: () => {}, disconnected: () => void downs++ }, backoff)

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

describe('openReconnectingSocket', () => {
  it('reconnects no earlier than it may', () => {
    const link = open()
    link.reconnect(3_000)
    vi.advanceTimersByTime(3_000)
    expect(TestSocket.all).toHaveLength(1)
    vi.advanceTimersByTime(100)
    expect(TestSocket.all).toHaveLength(2)
    link.close()
  })

  it('gives up a connection that has been silent for three heartbeats, and comes back', () => {
    const link = open()
    vi.advanceTimersByTime(3 * heartbeatMs - 1)
    TestSocket.all[0]?.pushFrame('{}')
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
    link.close()
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
    link.markWelcomed()
    fall()
    expect(waits.at(-1)).toBe(1_000)
    link.markWelcomed()
    vi.advanceTimersByTime(5_000)
    fall()
    expect(waits.at(-1)).toBe(100)
    link.close()
  })

  it('tries the next of several doors after each end, and begins at any of them', () => {
    const urls = ['ws://a', 'ws://b', 'ws://c']
    const begins = [0, 0.34, 0.99, 1].map((chance) => {
      openReconnectingSocket(urls, { text: () => {}, disconnected: () => {} }, { ...backoff, random: () => chance }).close()
      return TestSocket.all.at(-1)?.url
    })
    expect(begins).toEqual(['ws://a', 'ws://b', 'ws://c', 'ws://c'])
    TestSocket.all = []
    const link = openReconnectingSocket(urls, { text: () => {}, disconnected: () => {} }, { ...backoff, random: () => 0 })
    for (let times = 0; times < 3; times++) {
      TestSocket.all.at(-1)?.end()
      vi.advanceTimersByTime(1)
    }
    expect(TestSocket.all.map((socket) => socket.url)).toEqual(['ws://a', 'ws://b', 'ws://c', 'ws://a'])
    link.close()
  })

  it('comes again when a hub that restarts has asked it to, however often it failed before', () => {
    const link = open()
    for (let times = 0; times < 4; times++) {
      TestSocket.all.at(-1)?.end()
      vi.advanceTimersByTime(1_000)
    }
    const count = TestSocket.all.length
    TestSocket.all.at(-1)?.end(1012, 'come again within 400 ms')
    vi.advanceTimersByTime(399)
    expect(TestSocket.all).toHaveLength(count)
    vi.advanceTimersByTime(1)
    expect(TestSocket.all).toHaveLength(count + 1)
    // And what it has asked is no failure: the wait after the next end continues where it was.
    TestSocket.all.at(-1)?.end()
    vi.advanceTimersByTime(999)
    expect(TestSocket.all).toHaveLength(count + 1)
    link.close()
  })

  it('stays away once it was stopped', () => {
    const link = open()
    link.close()
    vi.advanceTimersByTime(60_000)
    expect(TestSocket.all).toHaveLength(1)
    expect(downs).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('readRestartDelayMs', () => {
  it('takes the time from the reason of a restart only, and never more than a minute', () => {
    expect(readRestartDelayMs(1012, 'come again within 750 ms')).toBe(750)
    expect(readRestartDelayMs(1012, 'come again within 999999999 ms')).toBe(60_000)
    for (const [code, reason] of [
      [1012, ''],
      [1012, 'soon'],
      [1001, 'come again within 750 ms'],
      [1006, ''],
    ] as const)
      expect(readRestartDelayMs(code, reason)).toBeNull()
  })
})

describe('backoffMs', () => {
  it('is anything from nothing to the exponential bound, never above the cap', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
        const wait = backoffMs(attempt, { baseMs: 250, capMs: 30_000, random: () => chance })
        return wait >= 0 && wait <= Math.min(30_000, 250 * 2 ** attempt) + 1
      }),
    )
    expect(backoffMs(3, { baseMs: 250, capMs: 30_000, random: () => 0 })).toBe(0)
  })
})

describe('hubSocketUrl', () => {
  it('finds the door from what people write', () => {
    expect(hubSocketUrl('http://localhost:4000')).toBe('ws://localhost:4000/v1/ws')
    expect(hubSocketUrl('https://parley.example/')).toBe('wss://parley.example/v1/ws')
    expect(hubSocketUrl('wss://parley.example/agents/v1/ws')).toBe('wss://parley.example/agents/v1/ws')
  })
})
