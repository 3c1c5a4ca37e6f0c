import { createHash, createHmac } from 'node:crypto'
import { canonicalBytes, maxNotes } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { readMemory } from '../../../server/memory/index.ts'
import { anonymous, codeOf, system } from '../database-only-world.ts'
import { erase, keep, openNotes, recall } from './notes.ts'

const notes = openNotes()
const audits = () => notes.world.audit(`memory:${notes.agentId}`)

describe('writeMemory', () => {
  it('refuses everyone but agents, what is too long, and what a room would refuse', async () => {
    const { world, agent, client } = notes
    expect(await codeOf(keep(world.as(anonymous), 'a'))).toBe('auth.required')
    expect(await codeOf(keep(client.ctx, 'a'))).toBe('permission.denied')
    expect(await codeOf(keep(world.as(system), 'a'))).toBe('memory.not_entitled')
    expect(await codeOf(keep(agent, 'a', { long: 'x'.repeat(5_000) }))).toBe('memory.too_large')
    expect(await codeOf(keep(agent, 'a', { name: 'user\u202Egnp.exe' }))).toBe('content.refused')
    expect(await audits()).toEqual([])
  })

  it('keeps a note under its key, replaces it under the same one, and audits its hash and none of its words', async () => {
    const { world, agent, agentId, client } = notes
    await keep(agent, 'client.likes', { likes: 'tables' }, { about: client.actor.did })
    await keep(agent, 'client.likes', { likes: 'charts' }, { about: client.actor.did })
    expect((await readMemory(agent, { type: 'memory.read' })).notes).toMatchObject([{ key: 'client.likes', note: { likes: 'charts' } }])
    expect(await audits()).toEqual(['memory.write', 'memory.write'])
    const rows = await world.db.auditEntry.findMany({ where: { chain: `memory:${agentId}` } })
    expect(JSON.stringify(rows.map((row) => row.after))).not.toMatch(/charts|tables/)
  })

  it('audits a hash that only who still has the note can make again', async () => {
    const { world, agent, agentId } = notes
    const note = { likes: 'yes' }
    await keep(agent, 'short', note)
    await keep(agent, 'short', note)
    const bytes = canonicalBytes(note)
    const rows = await world.db.auditEntry.findMany({ where: { chain: `memory:${agentId}` }, orderBy: { n: 'desc' }, take: 2 })
    const [latest, former] = rows.map((row) => (row.after as { hmac_sha256: string }).hmac_sha256)
    const { salt } = await world.db.memoryNote.findUniqueOrThrow({ where: { agentId_key: { agentId, key: 'short' } } })
    expect(salt).toHaveLength(32)
    expect(createHmac('sha256', salt).update(bytes).digest('hex')).toBe(latest)
    expect(former).not.toBe(latest)
    expect(JSON.stringify(rows)).not.toContain(createHash('sha256').update(bytes).digest('hex'))
    await erase(agent, { key: 'short' })
  })

  it('keeps so many and no more, and automatically erases what has expired', async () => {
    const { world, agent, other, agentId, client } = notes
    const now = world.clock.now()
    const row = { agentId, note: {}, salt: new Uint8Array(32), writtenAt: now, expiresAt: new Date(now.getTime() + 1_000) }
    await world.db.memoryNote.createMany({ data: Array.from({ length: maxNotes - 1 }, (_, n) => ({ ...row, key: `old.${n}` })) })
    expect(await codeOf(keep(agent, 'one.more'))).toBe('memory.quota_exceeded')
    await keep(agent, 'client.likes', {}, { about: client.actor.did })
    world.clock.advance(2_000)
    expect(await recall(agent)).toEqual(['client.likes'])
    await keep(other, 'its.own')
    expect(await world.db.memoryNote.count({ where: { agentId } })).toBe(maxNotes)
    await keep(agent, 'one.more')
    expect(await world.db.memoryNote.count({ where: { agentId } })).toBe(2)
  })
})
