import { describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { createCaller } from '../../../server/trpc/app-router.ts'
import { anonymous, codeOf } from '../database-only-world.ts'
import { erase, keep, openNotes, recall } from './notes.ts'

const notes = openNotes()

describe('eraseMemory', () => {
  it('refuses to forget for anyone else', async () => {
    const { world, agent, other, agentId, client } = notes
    await keep(agent, 'client.likes', {}, { about: client.actor.did })
    const stranger = world.person()
    expect(await codeOf(erase(world.as(anonymous)))).toBe('auth.required')
    expect(await codeOf(erase(stranger.ctx, { about: client.actor.did }))).toBe('memory.not_entitled')
    expect(await codeOf(erase(other, { agent_id: agentId }))).toBe('memory.not_entitled')
    expect(await erase(stranger.ctx)).toEqual({ erased: 0 })
    expect(await erase(other, { about: client.actor.did })).toEqual({ erased: 0 })
    expect(await recall(agent)).toEqual(['client.likes'])
  })

  it('is available on the web to every signed-in person, for themselves', async () => {
    const { world, client } = notes
    const web = (ctx: Context) =>
      createCaller({ ctx, services: null as never, token: null, userAgent: '', source: '127.0.0.1', reply: null, id: 'test' }).memory
    const cause = (work: Promise<unknown>) => codeOf(work.catch((error: Error) => Promise.reject(error.cause)))
    expect(await cause(web(world.as(anonymous)).read())).toBe('auth.required')
    expect(await cause(web(world.as(anonymous)).erase({}))).toBe('auth.required')
    expect(await web(world.person().ctx).read()).toEqual({ notes: [], agents: {}, isWhole: true })
    expect(await web(world.person().ctx).erase({})).toEqual({ erased: 0 })
    expect((await web(client.ctx).read()).notes).toMatchObject([{ key: 'client.likes' }])
  })

  it('forgets permanently at the request of whom it is about, once, and audits it', async () => {
    const { world, agent, agentId, client } = notes
    await keep(agent, 'not.about.anybody')
    expect(await erase(client.ctx)).toEqual({ erased: 1 })
    expect(await erase(client.ctx)).toEqual({ erased: 0 })
    expect(await recall(agent)).toEqual(['not.about.anybody'])
    expect((await world.audit(`memory:${agentId}`)).filter((action) => action === 'memory.erase')).toHaveLength(1)
    expect(await erase(agent, { key: 'not.about.anybody' })).toEqual({ erased: 1 })
    expect(await world.db.memoryNote.count({ where: { agentId } })).toBe(0)
  })
})
