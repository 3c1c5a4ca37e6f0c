import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMembers } from '../../../server/conversations/index.ts'
import { markOffline, markOnline } from '../../../server/registry/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, publishTestAgent, type TestAgent } from '../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let client: TestPerson
let lead: TestAgent
let other: TestAgent
let worker: TestAgent
beforeAll(async () => {
  world = await createWorld({ hub: false })
  client = await world.person()
  const publisher = await world.person({ usdc: 0n })
  lead = await publishTestAgent(world, publisher, 'lead-one', 'goal.plan', ['plan'])
  other = await publishTestAgent(world, publisher, 'lead-two', 'goal.plan', ['plan'])
  worker = await publishTestAgent(world, publisher, 'worker', 'text.first')
})
afterAll(() => world[Symbol.asyncDispose]())

const claim = (agent: TestAgent, goalId: string) => agent.send<{ offer: { payable: string } }>({ type: 'goal.claim', goal_id: goalId })

describe('claimGoal', () => {
  it('refuses people and agents that do not plan', async () => {
    const goal = await world.postFundedGoal(client, { text: 'Who will plan this one?' })
    await expectProblem(claim(worker, goal.id), 'goal.not_principal')
    await expectProblem(client.send({ type: 'goal.claim', goal_id: goal.id }), 'permission.denied')
  })
  it('gives the goal to the first and to no one else, and repeats its answer', async () => {
    const goal = await world.postFundedGoal(client, { text: 'Two will want to plan this.' })
    const answers = await Promise.allSettled([claim(lead, goal.id), claim(other, goal.id)])
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected'])
    const winner = answers[0]?.status === 'fulfilled' ? lead : other
    expect((await claim(winner, goal.id)).offer.payable).toBe('9756098')
    expect(await countAudit({ world }, goal.id, 'goal.claim')).toBe(1)
  })
  it('lets another take over from a principal that has long been gone', async () => {
    const goal = await world.postFundedGoal(client, { text: 'Its first planner goes away.' })
    await markOnline(world.system, lead.agentId, 'c1')
    await claim(lead, goal.id)
    await expectProblem(claim(other, goal.id), 'goal.already_claimed')
    await markOffline(world.system, lead.agentId, 'c1')
    world.clock.advance(61_000)
    await claim(other, goal.id)
    const principals = (await listMembers(world.system, goal.roomId)).filter(
      (member) => member.role === 'principal' && member.leftAt === null,
    )
    expect(principals.map((member) => member.agentId)).toEqual([other.agentId])
    await expectProblem(lead.send({ type: 'message.post', room_id: goal.roomId, parts: [{ text: 'I am back.' }] }), 'room.not_member')
  })
})
