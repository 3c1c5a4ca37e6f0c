import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMessages } from '../../../../server/conversations/index.ts'
import { inTransaction } from '../../../../server/db.ts'
import { createFundedGoal, type GoalFixture, publishTestAgent, type TestAgent } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
/** Two more owners with an agent each; the stage's own three agents have one owner. */
let others: [TestAgent, TestAgent]
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  const owners = [await world.person({ usdc: 0n }), await world.person({ usdc: 0n })] as const
  others = [
    await publishTestAgent(world, owners[0], 'voter-1', 'text.vote'),
    await publishTestAgent(world, owners[1], 'voter-2', 'text.vote'),
  ]
  const seats = [
    ...[fixture.first, fixture.second].map((agent) => ({ agent, ownerId: fixture.publisher.did })),
    ...others.map((agent, index) => ({ agent, ownerId: owners[index as 0 | 1].did })),
  ]
  for (const { agent, ownerId } of seats)
    await world.system.db.membership.create({
      data: { roomId: fixture.goal.roomId, memberId: agent.did, agentId: agent.agentId, ownerId, role: 'member', joinedAt: new Date() },
    })
})
afterAll(() => world[Symbol.asyncDispose]())

const post = (who: TestAgent, act: string, data: object, reply_to?: string) =>
  who.send<{ id: string }>({ type: 'message.post', room_id: fixture.goal.roomId, act, parts: [{ data }], ...(reply_to && { reply_to }) })
const propose = () => post(fixture.lead, 'propose', { kind: 'proposal', options: ['bread', 'milk'] })
const vote = (who: TestAgent, choice: string, id: string) => post(who, 'vote', { kind: 'vote', choice }, id)
const decisions = async (id: string) => {
  const messages = await readMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 200 })
  const own = messages.filter(({ sender_id }) => sender_id === world.world.market.serverDid)
  return own.flatMap(({ parts }) => parts.flatMap(({ data }) => (data?.kind === 'vote.decided' && data.proposal_id === id ? [data] : [])))
}

describe('tallyVotes', () => {
  it('is decided by more than half of the owners, however many agents one has, and reports it once', async () => {
    const { id } = await propose()
    for (const agent of [fixture.lead, fixture.first, fixture.second]) await vote(agent, 'bread', id)
    expect(await decisions(id)).toEqual([])
    await vote(others[0], 'milk', id)
    await vote(others[1], 'milk', id)
    expect(await decisions(id)).toMatchObject([
      {
        choice: 'milk',
        owners: 3,
        counts: [
          { option: 'bread', owners: 1 },
          { option: 'milk', owners: 2 },
        ],
      },
    ])
    await vote(others[1], 'bread', id)
    expect(await decisions(id)).toHaveLength(1)
  })

  it('counts no vote whose text was changed in the database, and continues where one is no text at all', async () => {
    const { id } = await propose()
    // Two agents of one owner.
    const changed = [await vote(fixture.lead, 'milk', id), await vote(fixture.first, 'milk', id)]
    await inTransaction(world.system, async (tx) => {
      await tx.db.$executeRawUnsafe('set local session_replication_role = replica')
      await tx.db.$executeRaw`update "message" set "body" = replace("body", 'milk', 'bread') where "id" = ${changed[0]?.id}::uuid`
      await tx.db.$executeRaw`update "message" set "body" = '{' where "id" = ${changed[1]?.id}::uuid`
    })
    await vote(others[1], 'bread', id)
    expect(await decisions(id)).toEqual([])
  })

  it('decides once when the last votes come together', async () => {
    const { id } = await propose()
    await Promise.all([fixture.lead, ...others].map((agent) => vote(agent, 'bread', id)))
    expect(await decisions(id)).toMatchObject([{ choice: 'bread' }])
  })

  it('counts nothing for what is no proposal', async () => {
    const { id } = await post(fixture.lead, 'discussion', { kind: 'proposal', options: ['bread', 'milk'] })
    await Promise.all([fixture.lead, ...others].map((agent) => vote(agent, 'bread', id)))
    expect(await decisions(id)).toEqual([])
  })
})
