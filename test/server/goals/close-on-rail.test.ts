import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeSettledGoal } from '../../../server/goals/index.ts'
import { createFundedGoal, doStep, type GoalFixture, sealTeamOf } from '../../support/goal-fixture.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

/** The hold as the log's reader leaves it where the client has released and closed its plan from its own wallet. */
async function releaseOnChain(fixture: GoalFixture): Promise<void> {
  const goalId = fixture.goal.id
  const released = { captureBits: 3n, conclusionHash: `0x${'1'.repeat(64)}`, settledTx: `0x${'2'.repeat(64)}` }
  await world.system.db.hold.update({ where: { goalId }, data: { state: 'captured', ...released } })
  await world.system.db.payout.updateMany({
    where: { goalId },
    data: { state: 'paid', paidAmount: 1n, tx: released.settledTx, paidAt: new Date() },
  })
}

describe('closeSettledGoal, where the client has released its plan itself', () => {
  it.each(['underway', 'review'] as const)('ends a goal that is %s as paid, and no one works on', async (state) => {
    const fixture = await createFundedGoal(world, `${state}-`)
    await sealTeamOf(fixture)
    await doStep(fixture, 1, fixture.first)
    if (state === 'review') {
      await doStep(fixture, 2, fixture.second)
      await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: 'Here.' }] })
    }
    expect((await world.goal(fixture.goal.id)).state).toBe(state)
    await releaseOnChain(fixture)
    await closeSettledGoal(world.system, fixture.goal.id)
    expect((await world.goal(fixture.goal.id)).state).toBe('paid')
    const states = await world.system.db.task.findMany({ where: { goalId: fixture.goal.id }, select: { state: true } })
    expect(states.filter(({ state }) => state !== 'completed')).toEqual([])
  })
})
