import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announceGoal, announceGoalToOthers } from '../../../../server/goals/index.ts'
import { publishTestAgent, type TestAgent } from '../../../support/goal-fixture.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let client: TestPerson
let named: TestAgent
let other: TestAgent
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  client = await world.person()
  const owner = await world.person({ usdc: 0n })
  named = await publishTestAgent(world, owner, 'named-planner', 'goal.plan', ['charter'])
  other = await publishTestAgent(world, owner, 'other-planner', 'goal.plan', ['charter'])
})
afterAll(() => world?.[Symbol.asyncDispose]())

/** A goal as it stands once its money is there. */
async function openGoal(planners?: readonly string[]): Promise<string> {
  const goal = {
    text: 'Write a short text, please.',
    criteria: [{ text: 'It is short.' }],
    budget: '1000000',
    deadline: new Date(world.clock.now().getTime() + 3_600_000).toISOString(),
    ...(planners && { planners }),
  }
  const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id: world.system.ids.uuid(), goal } as never)
  await world.system.db.goal.update({ where: { id: goal_id }, data: { state: 'open' } })
  return goal_id
}
async function offersTo({ agentId }: TestAgent): Promise<number> {
  const { inboxId } = await world.system.db.listing.findUniqueOrThrow({ where: { agentId } })
  const { head } = await world.system.db.room.findUniqueOrThrow({ where: { id: inboxId } })
  return head
}

describe('announceGoal', () => {
  it('notifies those that the client named, and leaves all others of a public goal to a job', async () => {
    const before = await Promise.all([offersTo(named), offersTo(other)])
    await announceGoal(world.system, await openGoal([named.agentId]))
    expect(await Promise.all([offersTo(named), offersTo(other)])).toEqual([(before[0] ?? 0) + 1, before[1]])
    const goalId = await openGoal()
    await announceGoal(world.system, goalId)
    expect(await offersTo(other)).toBe(before[1])
    await announceGoalToOthers(world.system, goalId)
    expect(await offersTo(other)).toBe((before[1] ?? 0) + 1)
  })

  it('notifies no one after the goal is claimed', async () => {
    const goalId = await openGoal()
    await world.system.db.goal.update({ where: { id: goalId }, data: { principalId: named.did } })
    const before = await offersTo(other)
    await announceGoalToOthers(world.system, goalId)
    expect(await offersTo(other)).toBe(before)
  })
})
