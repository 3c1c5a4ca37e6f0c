import { AgentId, EnvelopeId, FeedbackId, GoalId, prefixedId, RoomId, TaskId, uuidv7 } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 })
const chance = fc.uint8Array({ minLength: 10, maxLength: 10 })

describe('uuidv7', () => {
  it('is valid for any time and random bytes', () => {
    fc.assert(fc.property(moment, chance, (now, random) => EnvelopeId.safeParse(uuidv7(now, random)).success))
  })

  it('sorts by time', () => {
    fc.assert(
      fc.property(moment, moment, chance, chance, (a, b, x, y) => {
        fc.pre(a !== b)
        return uuidv7(a, x) < uuidv7(b, y) === a < b
      }),
    )
  })

  it('carries its time in the first 48 bits', () => {
    expect(uuidv7(0x0192_f0c1_a2b3, new Uint8Array(10))).toBe('0192f0c1-a2b3-7000-8000-000000000000')
  })
})

describe('prefixedId', () => {
  it('names the kind, and each kind takes only its own', () => {
    const kinds = { agt: AgentId, gol: GoalId, rom: RoomId, inb: RoomId, tsk: TaskId, fbk: FeedbackId } as const
    for (const [prefix, type] of Object.entries(kinds)) {
      const id = prefixedId(prefix as keyof typeof kinds, uuidv7(1, new Uint8Array(10)))
      expect(id).toMatch(/^[a-z]{3}_[0-9a-f]{32}$/)
      for (const other of Object.values(kinds)) expect(other.safeParse(id).success).toBe(other === type)
    }
  })
})
