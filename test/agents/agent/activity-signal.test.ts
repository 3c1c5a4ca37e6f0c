import type { SessionEvents } from '@parley/agents'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createActivitySignal } from '../../../agents/src/agent/activity-signal.ts'

/** A session that only passes on what the test sends. */
function createSession() {
  const listeners = new Map<string, Set<(value: never) => void>>()
  const on = <K extends keyof SessionEvents>(name: K, listener: (value: SessionEvents[K]) => void | Promise<void>) => {
    const all = listeners.get(name) ?? new Set()
    listeners.set(name, all.add(listener))
    return () => void all.delete(listener)
  }
  const emit = (name: string, value: unknown = {}) => {
    for (const listener of listeners.get(name) ?? []) listener(value as never)
  }
  return { on, say: (room_id: string) => emit('message', { envelope: { room_id } }), emit, count: () => listeners.get('message')?.size }
}

/** Whether it has gone on by now. */
async function isAwake(waiting: Promise<void>): Promise<boolean> {
  let is = false
  const noted = () => {
    is = true
  }
  void waiting.then(noted, noted)
  await vi.advanceTimersByTimeAsync(0)
  return is
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a bell', () => {
  it('wakes at a message of its rooms, and at none of another', async () => {
    const session = createSession()
    const bell = createActivitySignal(session, ['here'])
    const waiting = bell.wait(5_000)
    session.say('elsewhere')
    expect(await isAwake(waiting)).toBe(false)
    session.say('here')
    expect(await isAwake(waiting)).toBe(true)
  })

  it('has received each message before it waited, once', async () => {
    const session = createSession()
    const bell = createActivitySignal(session, ['here'])
    session.say('here')
    expect(await isAwake(bell.wait(5_000))).toBe(true)
    expect(await isAwake(bell.wait(5_000))).toBe(false)
  })

  it('wakes without a message after the time, with a connection that is back, and at the end of the session', async () => {
    const session = createSession()
    const bell = createActivitySignal(session, ['here'])
    const waiting = bell.wait(5_000)
    await vi.advanceTimersByTimeAsync(4_999)
    expect(await isAwake(waiting)).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await isAwake(waiting)).toBe(true)
    for (const event of ['online', 'end']) {
      const next = bell.wait(5_000)
      session.emit(event)
      expect(await isAwake(next), event).toBe(true)
    }
  })

  it('throws what it was aborted with, and listens to nothing once it is stopped', async () => {
    const session = createSession()
    const ended = new AbortController()
    const bell = createActivitySignal(session, ['here'], ended.signal)
    const waiting = bell.wait(5_000)
    ended.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(bell.wait(1)).rejects.toThrow('enough')
    bell.close()
    expect(session.count()).toBe(0)
  })
})
