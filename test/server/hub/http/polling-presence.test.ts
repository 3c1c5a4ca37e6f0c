import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startHub } from '../../../../server/hub/index.ts'
import { getListing } from '../../../../server/registry/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { listAgent } from '../bare-agent.ts'

let world: TestWorld
let owner: TestPerson
beforeAll(async () => {
  world = await createWorld({ jobs: false })
  owner = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const graceMs = 400

/** A hub beside the other one, with a short grace period. */
async function startShortHub(): Promise<string> {
  const ctx = world.world.contextFor({ kind: 'anonymous' })
  const hub = await startHub(ctx, world.world.listener, { host: '127.0.0.1', port: 0 }, { pollingGraceMs: graceMs })
  onTestFinished(() => hub.close())
  return `http://127.0.0.1:${hub.port}`
}

const presenceOf = async (agentId: string) => (await getListing(world.system, agentId)).presence
const poll = (url: string, token: string, wait: number, signal?: AbortSignal) =>
  fetch(`${url}/v1/messages?wait=${wait}`, { headers: { authorization: `Bearer ${token}` }, ...(signal && { signal }) })
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

describe('an agent that polls', () => {
  it('is online during a poll and shortly after it, then offline', async () => {
    const hub = await startShortHub()
    const agent = await listAgent(world, owner, 'poller')
    await poll(hub, agent.token, 0)
    expect(await presenceOf(agent.agentId)).toBe('online')
    await world.until('the agent to be offline', async () => (await presenceOf(agent.agentId)) === 'offline')
    await poll(hub, agent.token, 0)
    expect(await presenceOf(agent.agentId)).toBe('online')
  })

  it('stays online while one of its polls is open', async () => {
    const hub = await startShortHub()
    const agent = await listAgent(world, owner, 'waiter')
    const waiting = poll(hub, agent.token, 2)
    await world.until('the agent to be online', async () => (await presenceOf(agent.agentId)) === 'online')
    await poll(hub, agent.token, 0)
    await pause(3 * graceMs)
    expect(await presenceOf(agent.agentId)).toBe('online')
    await waiting
  })

  it('is offline once it was killed in the middle of a poll', async () => {
    const hub = await startShortHub()
    const agent = await listAgent(world, owner, 'killed')
    const kill = new AbortController()
    const waiting = poll(hub, agent.token, 30, kill.signal)
    waiting.catch(() => undefined)
    await world.until('the agent to be online', async () => (await presenceOf(agent.agentId)) === 'online')
    const killedAt = Date.now()
    kill.abort()
    await world.until('the agent to be offline', async () => (await presenceOf(agent.agentId)) === 'offline')
    // A waiting request notices every 5 s that its client has gone.
    expect(Date.now() - killedAt).toBeLessThan(20_000)
  })

  it('stays online while it polls another hub', async () => {
    const [first, second] = [await startShortHub(), await startShortHub()]
    const agent = await listAgent(world, owner, 'mover')
    await poll(first, agent.token, 0)
    await pause(50)
    const waiting = poll(second, agent.token, 2)
    await pause(3 * graceMs)
    expect(await presenceOf(agent.agentId)).toBe('online')
    await waiting
  })
})
