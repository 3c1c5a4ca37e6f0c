import { newMessageId } from '@parley/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listPayouts } from '../../../server/settlement/index.ts'
import { listTasks } from '../../../server/tasks/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, createFundedGoal, deliverForReview, doStep, newTaskId, sealTeamOf, stepPrice } from '../../support/goal-fixture.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('cancelGoal', () => {
  it('refuses everyone but the client, in progress and in review', async () => {
    const fixture = await createFundedGoal(world, 'mine-')
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(stranger.send({ type: 'goal.cancel', goal_id: fixture.goal.id }), 'goal.not_client')
    await expectProblem(fixture.lead.send({ type: 'goal.cancel', goal_id: fixture.goal.id }), 'permission.denied')
    await deliverForReview(fixture)
    for (const person of [stranger, fixture.publisher])
      await expectProblem(person.send({ type: 'goal.cancel', goal_id: fixture.goal.id }), 'goal.not_client')
    await expectProblem(fixture.first.send({ type: 'goal.cancel', goal_id: fixture.goal.id }), 'permission.denied')
    expect((await world.goal(fixture.goal.id)).state).toBe('review')
    expect(await countAudit(fixture, fixture.goal.id, 'goal.cancel')).toBe(0)
  })
  it('ends an unfunded goal without any money moving', async () => {
    const client = await world.person()
    const goal = {
      text: 'A goal that is not funded.',
      criteria: [{ text: 'None.' }],
      budget: '5000000',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const { goal_id } = await client.send<{ goal_id: string }>({ type: 'goal.post', id: newMessageId(), goal })
    await client.send({ type: 'goal.cancel', goal_id })
    await client.send({ type: 'goal.cancel', goal_id })
    expect((await world.goal(goal_id)).state).toBe('canceled')
    expect(await countAudit({ world }, goal_id, 'goal.cancel')).toBe(1)
  })
  it('refunds an open goal whole', async () => {
    const fixture = await createFundedGoal(world, 'whole-')
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id })
    await world.until('the refund', async () => (await world.goal(fixture.goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n)
  })
  it('pays what was done, sends back the rest, and ends what was in hand', async () => {
    const fixture = await createFundedGoal(world, 'half-')
    await sealTeamOf(fixture)
    await doStep(fixture, 1, fixture.first)
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: newTaskId(), step: 2 })
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id, reason: 'Enough.' })
    await world.until('the settlement', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map((payout) => payout.state)).toEqual(['paid', 'refunded'])
    expect((await listTasks(world.system, fixture.goal.id)).map((task) => task.state)).toEqual(['completed', 'canceled'])
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n - stepPrice - (stepPrice * 250n) / 10_000n)
  })
})
