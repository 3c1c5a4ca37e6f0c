import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyClientSilenceOutcome } from '../../../../server/goals/index.ts'
import { createFundedGoal, deliverForReview, type GoalFixture } from '../../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  await deliverForReview(fixture)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('applyClientSilenceOutcome', () => {
  it('is booked again where the queue starts it before the window has ended', async () => {
    const key = `review:${fixture.goal.id}`
    const { db } = world.system
    await db.$executeRaw`select graphile_worker.remove_job(${key})`
    await applyClientSilenceOutcome(world.system, fixture.goal.id)
    const rows = await db.$queryRaw<{ runAt: Date }[]>`select "run_at" as "runAt" from graphile_worker.jobs where "key" = ${key}`
    expect(rows).toEqual([{ runAt: (await world.goal(fixture.goal.id)).reviewBy }])
  })
  it('does nothing before the window has ended', async () => {
    await applyClientSilenceOutcome(world.system, fixture.goal.id)
    expect((await world.goal(fixture.goal.id)).state).toBe('review')
  })
  it('pays for what was delivered when no party has acted', async () => {
    world.clock.advance(3_600_000 + 1_000)
    await applyClientSilenceOutcome(world.system, fixture.goal.id)
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    const row = await world.system.db.auditEntry.findFirst({ where: { chain: fixture.goal.id, action: 'task.accept' } })
    expect(row?.actor).toBe('system:clock')
  })
})
