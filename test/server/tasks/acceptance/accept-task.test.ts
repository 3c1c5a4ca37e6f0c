import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listPayouts } from '../../../../server/settlement/index.ts'
import { getTask } from '../../../../server/tasks/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import {
  countAudit,
  createFundedGoal,
  deliverForReview,
  type GoalFixture,
  newTaskId,
  sealTeamOf,
  textUpload,
} from '../../../support/goal-fixture.ts'
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

describe('acceptTask', () => {
  it('states what is missing before anything was handed in, and takes a part once it is there', async () => {
    const early = await createFundedGoal(world, 'early-')
    const accept = () => early.client.send<{ accepted: string[] }>({ type: 'task.accept', goal_id: early.goal.id })
    await expectProblem(accept(), 'team.not_found')
    await sealTeamOf(early)
    expect((await expectProblem(accept(), 'goal.incomplete')).message).toContain('No step of this goal was assigned')
    const task_id = newTaskId()
    await early.lead.send({ type: 'task.assign', goal_id: early.goal.id, task_id, step: 1 })
    expect((await expectProblem(accept(), 'goal.incomplete')).message).toContain('Step 1 is not completed')
    await early.first.send({ type: 'task.complete', task_id, artifacts: [textUpload('The text.')] })
    expect(await accept()).toMatchObject({ accepted: [task_id] })
    expect(await accept()).toMatchObject({ accepted: [] })
  })

  it('refuses agents, strangers and tasks of other goals', async () => {
    const stranger = await world.person({ usdc: 0n })
    await expectProblem(stranger.send({ type: 'task.accept', goal_id: fixture.goal.id }), 'room.not_member')
    await expectProblem(fixture.lead.send({ type: 'task.accept', goal_id: fixture.goal.id }), 'permission.denied')
    await expectProblem(fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [newTaskId()] }), 'task.not_found')
  })
  it('pays everyone in one settlement, and once for two clicks', async () => {
    const [first] = taskIds
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [first] })
    expect((await world.goal(fixture.goal.id)).state).toBe('review')
    await Promise.all(
      [
        fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id }),
        fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id }),
      ].map((one) => one.catch(() => null)),
    )
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    const payouts = await listPayouts(world.system, { goalId: fixture.goal.id })
    expect(payouts.map((payout) => payout.state)).toEqual(['paid', 'paid'])
    expect(new Set(payouts.map((payout) => payout.tx)).size).toBe(1)
    expect(await getTask(world.system, taskIds[1] ?? '')).toMatchObject({ acceptance: 'accepted' })
    expect(await countAudit(fixture, fixture.goal.id, 'task.accept')).toBe(2)
  })
})
