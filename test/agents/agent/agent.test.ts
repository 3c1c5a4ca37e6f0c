import { type AgentOptions, type AgentSession, agent, type SkillHandler } from '@parley/agents'
import { type Charter, charterHash, randomSeed, type Signer, sha256, signerFromSeed } from '@parley/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { charterOf } from '../charters.ts'
import { createStubHub, id, type StubHub } from '../stub-hub.ts'

const seed = randomSeed()
const skill_id = 'text.shout'
const price = '1000000'
let principal: Signer
let me: Signer

beforeEach(async () => {
  principal = await signerFromSeed(randomSeed())
  me = await signerFromSeed(seed)
})

/** A hub that knows one listing: this agent's, for one skill. */
async function marketplace(): Promise<StubHub> {
  const hub = await createStubHub()
  hub.answer = (command) =>
    command.type === 'listing.discover'
      ? { result: { listings: [{ agent_id: hub.agent_id, skills: [{ id: skill_id, price }] }], next: null } }
      : { result: {} }
  return hub
}

const start = (hub: StubHub, handler: SkillHandler, more: Partial<AgentOptions> = {}): Promise<AgentSession> =>
  agent({ url: hub.url, seed, backoff: { baseMs: 5, capMs: 20 }, skills: { [skill_id]: handler }, ...more })

async function invite(hub: StubHub, charter: Charter, more: object = {}): Promise<void> {
  const { goal_id, room_id } = charter
  const data = { kind: 'team.invite', goal_id, room_id, charter, charter_hash: await charterHash(charter), ...more }
  await hub.postMessage(hub.inbox, [{ data: data as never }])
}

/** The room as it stands when its charter has been proposed. */
async function room(hub: StubHub, charter: Charter): Promise<string> {
  const data = { kind: 'charter', charter, charter_hash: await charterHash(charter) }
  await hub.postMessage(charter.room_id, [{ data: data as never }], { type: 'propose' }, principal)
  return charter.room_id
}

async function assign(hub: StubHub, room_id: string, inputs: object[] = [], task_id: string = id('tsk')): Promise<string> {
  const data = { kind: 'task', task_id, step: 1, skill_id, inputs }
  const more = { type: 'sync_task_assignment', state: 'task_assignment', task_id, to: [me.did] }
  await hub.postMessage(room_id, [{ data: data as never }], more, principal)
  return task_id
}

const mine = (amount = price, more: Partial<Parameters<typeof charterOf>[0]> = {}) =>
  charterOf({ principal: principal.did, members: [{ did: me.did, skill_id, amount }], ...more })

describe('agent', () => {
  it('accepts a team that pays its price', async () => {
    await using hub = await marketplace()
    const session = await start(hub, () => '')
    const charter = mine()
    await invite(hub, charter)
    const [command] = await hub.until(() => hub.commands('team.accept').length === 1 && hub.commands('team.accept'))
    expect(command).toMatchObject({ goal_id: charter.goal_id, charter_hash: await charterHash(charter) })
    session.close()
  })

  it.each<[string, Partial<Parameters<typeof charterOf>[0]>, RegExp]>([
    ['pays less', { members: [{ did: '', skill_id, amount: '999999' }] }, /my price is 1000000/],
    ['asks for a skill it lacks', { members: [{ did: '', skill_id: 'text.whisper' }] }, /no skill text.whisper/],
  ])('declines a team that %s, with the reason', async (_what, more, reason) => {
    await using hub = await marketplace()
    const session = await start(hub, () => '')
    const members = (more.members ?? []).map((member) => ({ ...member, did: me.did }))
    await invite(hub, mine(price, { members }))
    const [command] = await hub.until(() => hub.commands('team.decline').length === 1 && hub.commands('team.decline'))
    expect(command?.reason).toMatch(reason)
    expect(hub.commands('team.accept')).toEqual([])
    session.close()
  })

  it('asks its own policy where it is given one', async () => {
    await using hub = await marketplace()
    const session = await start(hub, () => '', { invitationPolicy: ({ charter }) => `Not for ${charter.total}.` })
    await invite(hub, mine())
    const [command] = await hub.until(() => hub.commands('team.decline').length === 1 && hub.commands('team.decline'))
    expect(command?.reason).toBe('Not for 10000000.')
    session.close()
  })

  it("does not answer an invitation whose charter has another hash, or that is not the server's", async () => {
    await using hub = await marketplace()
    const session = await start(hub, () => '')
    const charter = mine()
    const data = { kind: 'team.invite', charter: { ...charter, total: '1' }, charter_hash: await charterHash(charter) }
    await hub.postMessage(hub.inbox, [{ data: data as never }])
    await hub.postMessage(hub.inbox, [{ data: { ...data, charter } as never }], {}, principal)
    await hub.until(() => hub.rooms.get(hub.inbox)?.acked === 2)
    expect(hub.of('command')).toEqual([])
    session.close()
  })

  it('does a task, uploads what it made, and acks when the server has it', async () => {
    await using hub = await marketplace()
    const session = await start(hub, ({ input }) => input.text.toUpperCase())
    const room_id = await room(hub, mine())
    const task_id = await assign(hub, room_id, [{ port: 'text', type: 'query.text', data: { text: 'hello' } }])
    const [command] = await hub.until(() => hub.commands('task.complete').length === 1 && hub.commands('task.complete'))
    expect(command).toMatchObject({
      task_id,
      artifacts: [{ name: 'text-shout.txt', media_type: 'text/plain', artifact_type: 'text.shout', content: btoa('HELLO') }],
    })
    expect(hub.commands().map((one) => one.type)).toEqual(['task.progress', 'task.complete'])
    await hub.until(() => hub.rooms.get(room_id)?.acked === 2)
    session.close()
  })

  it('reads its files, by hash', async () => {
    await using hub = await marketplace()
    const bytes = new TextEncoder().encode('{"n":[1,2]}')
    const artifact = {
      sha256: await sha256(bytes),
      name: 't.json',
      media_type: 'application/json',
      size: bytes.length,
      artifact_type: 'table.series',
    }
    hub.answer = ({ type }) => ({ result: type === 'artifact.get' ? { artifact, content: btoa('{"n":[1,2]}') } : {} })
    const session = await start(hub, ({ inputs }) => JSON.stringify(inputs.table?.data))
    await assign(hub, await room(hub, mine()), [{ port: 'table', type: 'table.series', artifact }])
    const [command] = await hub.until(() => hub.commands('task.complete').length === 1 && hub.commands('task.complete'))
    expect(command?.artifacts).toMatchObject([{ content: btoa('{"n":[1,2]}') }])
    session.close()
  })

  it('states in a sentence why a task failed', async () => {
    await using hub = await marketplace()
    const session = await start(hub, () => Promise.reject(new RangeError('The text is empty.')))
    const task_id = await assign(hub, await room(hub, mine()))
    const [command] = await hub.until(() => hub.commands('task.fail').length === 1 && hub.commands('task.fail'))
    expect(command).toMatchObject({ task_id, reason: 'The text is empty.' })
    expect(command).toMatchObject({ envelope: { type: 'error' } })
    session.close()
  })

  it('keeps the lease alive while it works', async () => {
    await using hub = await marketplace()
    const gate = Promise.withResolvers<string>()
    const session = await start(hub, () => gate.promise, { heartbeatMs: 10 })
    await assign(hub, await room(hub, mine()))
    await hub.until(() => hub.commands('task.progress').length >= 4)
    gate.resolve('done')
    await hub.until(() => hub.commands('task.complete').length === 1)
    session.close()
  })

  it('begins nothing that the server does not know as its task', async () => {
    await using hub = await marketplace()
    hub.answer = () => ({ problem: { code: 'task.not_found' } })
    let begun = 0
    const session = await start(hub, () => String(++begun))
    const room_id = await room(hub, mine())
    await assign(hub, room_id)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 2)
    expect(begun).toBe(0)
    expect(hub.commands('task.complete')).toEqual([])
    session.close()
  })

  it('releases a task that went to another agent', async () => {
    await using hub = await marketplace()
    const aborted = Promise.withResolvers<void>()
    const session = await start(hub, ({ signal }) => {
      signal.addEventListener('abort', () => aborted.resolve())
      return aborted.promise.then(() => 'too late')
    })
    const room_id = await room(hub, mine())
    const task_id = await assign(hub, room_id)
    await hub.until(() => hub.commands('task.progress').length === 1)
    await hub.postMessage(room_id, [{ data: { kind: 'task.expired', task_id } }])
    await aborted.promise
    await hub.until(() => hub.rooms.get(room_id)?.acked === 3)
    expect(hub.commands('task.complete')).toEqual([])
    expect(hub.commands('task.fail')).toEqual([])
    session.close()
  })

  it('does a task once, however often it is assigned', async () => {
    await using hub = await marketplace()
    let begun = 0
    const session = await start(hub, () => String(++begun))
    const room_id = await room(hub, mine())
    const task_id = await assign(hub, room_id)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 2)
    await assign(hub, room_id, [], task_id)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 3)
    expect(begun).toBe(1)
    session.close()
  })

  it('leaves an unfinished task to its next start', async () => {
    await using hub = await marketplace()
    const first = await start(hub, () => new Promise<string>(() => {}))
    const room_id = await room(hub, mine())
    await assign(hub, room_id)
    await hub.until(() => hub.commands('task.progress').length === 1)
    first.close()
    const second = await start(hub, () => 'done')
    await hub.until(() => hub.commands('task.complete').length === 1)
    await hub.until(() => hub.rooms.get(room_id)?.acked === 2)
    second.close()
  })

  it('works on so many tasks at once as configured, and keeps the others alive', async () => {
    await using hub = await marketplace()
    const gates: (() => void)[] = []
    const session = await start(hub, () => new Promise<string>((resolve) => gates.push(() => resolve('ok'))), {
      concurrency: 2,
      heartbeatMs: 10,
    })
    const room_id = await room(hub, mine())
    const tasks = [await assign(hub, room_id), await assign(hub, room_id), await assign(hub, room_id)]
    await hub.until(() => hub.commands('task.progress').filter((one) => one.task_id === tasks[2]).length >= 3)
    expect(gates).toHaveLength(2)
    gates[0]?.()
    await hub.until(() => gates.length === 3)
    for (const open of gates) open()
    await hub.until(() => hub.commands('task.complete').length === 3)
    session.close()
  })

  it('derives a key from its token where it has none', async () => {
    await using hub = await marketplace()
    const one = await agent({ url: hub.url, token: 'tok', skills: {} })
    one.close()
    const two = await agent({ url: hub.url, token: 'tok', skills: {} })
    expect(two.did).toBe(one.did)
    two.close()
  })
})
