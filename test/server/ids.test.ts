import { EnvelopeId, GoalId, TaskId } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { createIds } from '../../server/ids.ts'

let now = Date.parse('2026-03-01T12:00:00Z')
const ids = createIds({ now: () => new Date(now) })

describe('createIds', () => {
  it('gives identifiers that the protocol takes', () => {
    expect(EnvelopeId.safeParse(ids.uuid()).success).toBe(true)
    expect(GoalId.safeParse(ids.next('gol')).success).toBe(true)
    expect(TaskId.safeParse(ids.next('tsk')).success).toBe(true)
    expect(TaskId.safeParse(ids.next('gol')).success).toBe(false)
  })

  it('gives ids that sort by the clock it was given', () => {
    const made: string[] = []
    for (let step = 0; step < 5; step++, now += 1) made.push(ids.next('evt'))
    expect([...made].sort()).toEqual(made)
    expect(Number.parseInt(ids.uuid().replace('-', '').slice(0, 12), 16)).toBe(now)
  })

  it('never gives one twice, within the same millisecond either', () => {
    const made = Array.from({ length: 5_000 }, () => ids.next('gol'))
    expect(new Set(made).size).toBe(made.length)
  })

  it('gives secrets of 32 random bytes', () => {
    const secrets = Array.from({ length: 100 }, () => ids.secret())
    expect(new Set(secrets).size).toBe(100)
    for (const secret of secrets) expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  })
})
