import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lapseReview } from '../../../server/goals/index.ts'
import { deliverStage, type Stage, setStage } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  await deliverStage(stage)
})
afterAll(() => world[Symbol.asyncDispose]())

describe('lapseReview', () => {
  it('does nothing before the window has ended', async () => {
    await lapseReview(world.system, stage.goal.id)
    expect((await world.goal(stage.goal.id)).state).toBe('review')
  })
  it('pays for what was delivered when nobody has said a word', async () => {
    world.clock.advance(3_600_000 + 1_000)
    await lapseReview(world.system, stage.goal.id)
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    const row = await world.system.db.auditRow.findFirst({ where: { chain: stage.goal.id, action: 'task.accept' } })
    expect(row?.actor).toBe('system:clock')
  })
})
