import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getHold } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, createFundedGoal, type GoalFixture } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const hour = 3_600_000
const stageWith = (prefix: string, more: { readonly [field: string]: unknown } = {}): Promise<GoalFixture> =>
  createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, { text: 'Write two short texts, please.', more }))
const laterBy = ({ goal }: GoalFixture, hours: number) => new Date(goal.deadline.getTime() + hours * hour).toISOString()

describe('extendDeadline', () => {
  it('refuses strangers and agents', async () => {
    const fixture = await stageWith('who-', { max_extension_hours: 4 })
    const stranger = await world.person({ usdc: 0n })
    const command = { type: 'deadline.extend', goal_id: fixture.goal.id, deadline: laterBy(fixture, 1) } as const
    await expectProblem(stranger.send(command), 'goal.not_client')
    await expectProblem(fixture.lead.send(command), 'permission.denied')
    expect((await world.goal(fixture.goal.id)).deadline).toEqual(fixture.goal.deadline)
  })
  it('moves the deadline within the terms, and nothing on the rail', async () => {
    const fixture = await stageWith('more-', { max_extension_hours: 4 })
    const extend = (deadline: string) => fixture.client.send({ type: 'deadline.extend', goal_id: fixture.goal.id, deadline })
    const before = await getHold(world.system, fixture.goal.id)
    expect(before.workBy * 1_000).toBe(Math.floor(fixture.goal.deadline.getTime() / 1_000) * 1_000 + 4 * hour)
    await expectProblem(extend(laterBy(fixture, -0.5)), 'goal.deadline_passed')
    await expectProblem(extend(laterBy(fixture, 5)), 'goal.deadline_too_far')
    const at = laterBy(fixture, 3)
    expect(await extend(at)).toEqual({ goal_id: fixture.goal.id, deadline: at })
    expect(await extend(at)).toEqual({ goal_id: fixture.goal.id, deadline: at })
    expect((await world.goal(fixture.goal.id)).deadline.toISOString()).toBe(at)
    expect(await countAudit(fixture, fixture.goal.id, 'deadline.extend')).toBe(1)
    expect(await getHold(world.system, fixture.goal.id)).toEqual(before)
  })
  it('is not possible without an agreed extension, or once the goal has ended', async () => {
    const fixture = await stageWith('none-')
    const extend = () => fixture.client.send({ type: 'deadline.extend', goal_id: fixture.goal.id, deadline: laterBy(fixture, 1) })
    await expectProblem(extend(), 'goal.deadline_too_far')
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id })
    await expectProblem(extend(), 'goal.wrong_state')
  })
})
