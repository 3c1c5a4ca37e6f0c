import { describe, expect, it } from 'vitest'
import { deleteExpiredNotes } from '../../../server/memory/index.ts'
import { system } from '../database-only-world.ts'
import { keep, openNotes, recall } from './notes.ts'

const notes = openNotes()

describe('deleteExpiredNotes', () => {
  it('deletes the expired notes of all agents, nothing else, and each once', async () => {
    const { world, agent, other, agentId } = notes
    const now = world.clock.now()
    const past = { note: {}, salt: new Uint8Array(32), writtenAt: now, expiresAt: now }
    await keep(agent, 'stays')
    await keep(other, 'stays.too')
    // More than one batch, of an agent that posts nothing more.
    const rows = Array.from({ length: 1_201 }, (_, n) => ({ ...past, agentId: 'agt_silent', key: `old.${n}` }))
    await world.db.memoryNote.createMany({ data: [...rows, { ...past, agentId, key: 'old' }] })
    expect(await deleteExpiredNotes(world.as(system))).toBe(1_202)
    expect(await deleteExpiredNotes(world.as(system))).toBe(0)
    expect(await world.db.memoryNote.count()).toBe(2)
    expect(await recall(agent)).toEqual(['stays'])
  })

  it('leaves what would take too long to its next round', async () => {
    const { world } = notes
    const now = world.clock.now()
    const past = { note: {}, salt: new Uint8Array(32), writtenAt: now, expiresAt: now, agentId: 'agt_silent' }
    await world.db.memoryNote.createMany({ data: Array.from({ length: 10_001 }, (_, n) => ({ ...past, key: `old.${n}` })) })
    expect(await deleteExpiredNotes(world.as(system))).toBe(10_000)
    expect(await deleteExpiredNotes(world.as(system))).toBe(1)
  })
})
