import type { Problem } from '@parley/protocol'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPendingCommands } from '../../../agents/src/transport/pending-commands.ts'
import { problem } from '../stub-hub.ts'

const backoff = { baseMs: 100, capMs: 1_000, random: () => 0 }
let sent: string[]
const open = () => createPendingCommands((text) => sent.push(text) > 0, backoff)

beforeEach(() => {
  sent = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('createPendingCommands', () => {
  it('waits as long as the server asks before it tries again', async () => {
    const calls = open()
    const asking = calls.submit('a', { type: 'goal.claim' })
    calls.reject('a', { ...problem('rate.exceeded', 'later'), facts: { retry_after_seconds: 3 } } satisfies Problem)
    vi.advanceTimersByTime(2_999)
    expect(sent).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(sent).toHaveLength(2)
    expect(sent[1]).toBe(sent[0])
    calls.resolve('a', { ok: true })
    expect(await asking).toEqual({ ok: true })
  })

  it('abandons a trouble that does not pass', async () => {
    const calls = open()
    const asking = calls.submit('a', { type: 'goal.claim' })
    for (let tries = 0; tries < 6; tries++) {
      calls.reject('a', problem('server.unavailable', 'later'))
      vi.advanceTimersByTime(5_000)
    }
    await expect(asking).rejects.toMatchObject({ code: 'server.unavailable' })
    expect(sent).toHaveLength(6)
    expect(calls.reject('a', problem('server.unavailable', 'later'))).toBe(false)
  })

  it('keeps a thousand waiting and no more', async () => {
    const calls = open()
    const asked = Array.from({ length: 1_000 }, (_, index) => calls.submit(String(index), {}))
    await expect(calls.submit('more', {})).rejects.toMatchObject({ code: 'session.busy', retry: 'later' })
    calls.resolve('7', null)
    expect(await asked[7]).toBeNull()
    void calls.submit('more', {}).catch(() => {})
    expect(calls.size).toBe(1_000)
    calls.rejectAll(new RangeError('over'))
    await expect(asked[8]).rejects.toThrow('over')
    await Promise.allSettled(asked)
    expect(calls.size).toBe(0)
  })

  it('sends what is unanswered once more, in its order', () => {
    const calls = open()
    for (const id of ['a', 'b', 'c']) void calls.submit(id, {}).catch(() => {})
    calls.resolve('b', null)
    sent = []
    calls.resendAll()
    expect(sent.map((text) => JSON.parse(text).id)).toEqual(['a', 'c'])
  })
})
