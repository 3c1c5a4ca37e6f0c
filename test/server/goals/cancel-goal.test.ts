import { newMessageId } from '@parley/agents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listPayouts } from '../../../server/settlement/index.ts'
import { listTasks } from '../../../server/tasks/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { balanceOf } from '../../support/money.ts'
import { countAudit, deliverStage, doStep, newTaskId, sealStage, setStage, stepPrice } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('cancelGoal', () => {
  it('refuses everybody but the client, under way and in review', async () => {
    const stage = await setStage(world, 'mine-')
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(stranger.send({ type: 'goal.cancel', goal_id: stage.goal.id }), 'goal.not_client')
    await expectProblem(stage.lead.send({ type: 'goal.cancel', goal_id: stage.goal.id }), 'permission.denied')
    await deliverStage(stage)
    for (const person of [stranger, stage.publisher])
      await expectProblem(person.send({ type: 'goal.cancel', goal_id: stage.goal.id }), 'goal.not_client')
    await expectProblem(stage.first.send({ type: 'goal.cancel', goal_id: stage.goal.id }), 'permission.denied')
    expect((await world.goal(stage.goal.id)).state).toBe('review')
    expect(await countAudit(stage, stage.goal.id, 'goal.cancel')).toBe(0)
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
    const stage = await setStage(world, 'whole-')
    await stage.client.send({ type: 'goal.cancel', goal_id: stage.goal.id })
    await world.until('the refund', async () => (await world.goal(stage.goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, stage.client.account.address)).toBe(1_000_000_000n)
  })
  it('pays what was done, sends back the rest, and ends what was in hand', async () => {
    const stage = await setStage(world, 'half-')
    await sealStage(stage)
    await doStep(stage, 1, stage.first)
    await stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: newTaskId(), step: 2 })
    await stage.client.send({ type: 'goal.cancel', goal_id: stage.goal.id, reason: 'Enough.' })
    await world.until('the settlement', async () => (await world.goal(stage.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: stage.goal.id })).map((payout) => payout.state)).toEqual(['paid', 'refunded'])
    expect((await listTasks(world.system, stage.goal.id)).map((task) => task.state)).toEqual(['completed', 'canceled'])
    expect(await balanceOf(world.chain, stage.client.account.address)).toBe(1_000_000_000n - stepPrice - (stepPrice * 250n) / 10_000n)
  })
})
