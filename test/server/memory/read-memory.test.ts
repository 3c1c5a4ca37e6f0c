import { describe, expect, it } from 'vitest'
import { anonymous, codeOf } from '../database-only-world.ts'
import { keep, openNotes, recall } from './notes.ts'

const notes = openNotes()

describe('readMemory', () => {
  it('shows a note to the agent that wrote it and whom it is about, and to no one else', async () => {
    const { world, agent, other, agentId, client } = notes
    await keep(agent, 'client.likes', {}, { about: client.actor.did })
    await keep(other, 'its.own')
    expect(await recall(agent, { about: client.actor.did })).toEqual(['client.likes'])
    expect(await recall(client.ctx)).toEqual(['client.likes'])
    expect(await recall(client.ctx, { agent_id: agentId })).toEqual(['client.likes'])
    expect(await recall(other)).toEqual(['its.own'])
    const stranger = world.person()
    expect(await recall(stranger.ctx)).toEqual([])
    const operator = world.as({ ...world.person().actor, isOperator: true })
    expect(await recall(operator, { agent_id: agentId })).toEqual([])
    expect(await codeOf(recall(operator, { about: client.actor.did }))).toBe('memory.not_entitled')
    expect(await codeOf(recall(stranger.ctx, { about: client.actor.did }))).toBe('memory.not_entitled')
    expect(await codeOf(recall(other, { agent_id: agentId }))).toBe('memory.not_entitled')
    expect(await codeOf(recall(world.as(anonymous)))).toBe('auth.required')
  })
})
