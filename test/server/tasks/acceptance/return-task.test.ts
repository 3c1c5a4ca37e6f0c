import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getHold, listPayouts } from '../../../../server/settlement/index.ts'
import { listTasks } from '../../../../server/tasks/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import {
  countAudit,
  createFundedGoal,
  deliverForReview,
  doStep,
  type GoalFixture,
  sealTeamOf,
  stepPrice,
} from '../../../support/goal-fixture.ts'
import { balanceOf } from '../../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let taskIds: string[]
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  taskIds = await deliverForReview(fixture)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('returnTask', () => {
  it('refuses agents and strangers', async () => {
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(
      stranger.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: taskIds, reason: 'No.' }),
      'room.not_member',
    )
    await expectProblem(
      fixture.first.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: taskIds, reason: 'No.' }),
      'permission.denied',
    )
  })
  it('is refused while the team is still at work, and leaves its step as it was', async () => {
    const early = await createFundedGoal(world, 'early-')
    await sealTeamOf(early)
    const done = await doStep(early, 1, early.first)
    await expectProblem(
      early.client.send({ type: 'task.return', goal_id: early.goal.id, task_ids: [done], reason: 'No.' }),
      'task.wrong_state',
    )
    expect((await listTasks(world.system, early.goal.id))[0]).toMatchObject({ acceptance: 'pending' })
  })
  it('sends back the share of what was returned, once it was not disputed, and pays the rest', async () => {
    const [first, second] = taskIds
    await fixture.client.send({ type: 'task.return', goal_id: fixture.goal.id, task_ids: [second], reason: 'It is blank.' })
    await expectProblem(fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [second] }), 'task.wrong_state')
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [first] })
    await world.until('the first payment', async () => (await listPayouts(world.system, { goalId: fixture.goal.id }))[0]?.state === 'paid')
    world.clock.advance(3_601_000)
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map((payout) => payout.state)).toEqual(['paid', 'refunded'])
    const fee = (stepPrice * 250n) / 10_000n
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n - stepPrice - fee)
    expect(await countAudit(fixture, fixture.goal.id, 'task.return')).toBe(1)
  })
  it('sends everything back where everything was returned', async () => {
    const other = await createFundedGoal(world, 'all-')
    const all = await deliverForReview(other)
    await other.client.send({ type: 'task.return', goal_id: other.goal.id, task_ids: all, reason: 'None of it is usable.' })
    await world.until('the settlement to begin', async () => (await world.goal(other.goal.id)).state === 'settling')
    world.clock.advance(3_601_000)
    await world.until('the refund', async () => (await world.goal(other.goal.id)).state === 'refunded')
    expect((await getHold(world.system, other.goal.id)).state).toBe('voided')
    expect(await balanceOf(world.chain, other.client.account.address)).toBe(1_000_000_000n)
  })
})
