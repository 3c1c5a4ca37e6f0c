import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinRoom, openRoom } from '../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { roundRobin, startAntiEntropy } from '../../../../server/hub/fanout/anti-entropy.ts'
import { type Hub, startHub } from '../../../../server/hub/index.ts'
import { nullSignals } from '../../../support/null-signals.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'
import { connectLine, delivered, fillInbox, listAgent, upTo } from '../bare-agent.ts'

// Two hubs whose every signal gets lost, in both directions.
let world: TestWorld
let owner: TestPerson
let hubs: Hub[]
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  owner = await world.person({ usdc: 0n })
  const ctx = world.world.contextFor({ kind: 'anonymous' })
  const deaf = { ...ctx, ports: { ...ctx.ports, signals: nullSignals } }
  hubs = await Promise.all([1, 2].map(() => startHub(deaf, nullSignals, { host: '127.0.0.1', port: 0 }, { reconcileEveryMs: 20 })))
})
afterAll(async () => {
  await Promise.all((hubs ?? []).map((hub) => hub.close()))
  await world?.[Symbol.asyncDispose]()
})
const urlOf = (at: number) => `http://127.0.0.1:${hubs[at]?.port}`

describe('a hub to which no signal comes', () => {
  it('finds what was written, rooms that were joined, and that another hub has the agent now', async () => {
    const agent = await listAgent(world, owner, 'deaf')
    const line = await connectLine(urlOf(0), agent)
    await fillInbox(world, agent.inboxId, 3)
    await world.until('the notes', async () => delivered(line, agent.inboxId).length === 3)
    expect(delivered(line, agent.inboxId)).toEqual(upTo(3))

    const roomId = await inTransaction(world.system, async (tx) => {
      const id = await openRoom(tx, { goalId: 'gol_x', clientId: owner.did })
      await joinRoom(tx, { roomId: id, memberId: agent.signer.did, agentId: agent.agentId, ownerId: owner.did, role: 'member' })
      return id
    })
    expect((await line.next('joined')).room_id).toBe(roomId)

    const newer = await connectLine(urlOf(1), agent)
    await line.next('fenced')
    expect(await line.closed).toBe(4409)
    await fillInbox(world, agent.inboxId, 1, { from: 4 })
    await world.until('the last note', async () => delivered(newer, agent.inboxId).at(-1) === 4)
    newer.close()
  })
})

it('announces what it found only after a normal delivery had time to arrive', async () => {
  const agent = await listAgent(world, owner, 'prompt')
  await fillInbox(world, agent.inboxId, 2)
  const heads: number[] = []
  const waits: [ms: number, go: () => void][] = []
  const around = {
    rooms: () => [agent.inboxId],
    agents: () => [],
    onHead: (_: string, head: number) => heads.push(head),
    onChanged: () => undefined,
  }
  const stop = startAntiEntropy(world.system, around, 250, (ms) => new Promise<void>((go) => waits.push([ms, go])))
  await world.until('a look', async () => waits.length === 1)
  expect([heads, waits[0]?.[0]]).toEqual([[], 200])
  waits[0]?.[1]()
  await world.until('what it found', async () => heads.length === 1)
  expect(heads).toEqual([2])
  stop()
})

describe('inTurns', () => {
  it('gives every one of a long list its turn, and begins again', () => {
    const next = roundRobin<number>(2)
    const all = [1, 2, 3, 4, 5]
    expect([next(all), next(all), next(all), next(all)]).toEqual([[1, 2], [3, 4], [5], [1, 2]])
    expect(next([])).toEqual([])
  })
})
