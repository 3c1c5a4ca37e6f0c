import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getProof } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { balanceOf } from '../../support/money.ts'
import { countAudit, deliverStage, doStep, sealStage, setStage } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('concludeGoal', () => {
  it('refuses members, people, and a delivery with open steps', async () => {
    const stage = await setStage(world, 'open-')
    await sealStage(stage)
    await doStep(stage, 1, stage.first)
    const conclude = (who: { send: typeof stage.client.send }) =>
      who.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'delivered', parts: [] })
    await expectProblem(conclude(stage.first), 'goal.not_principal')
    await expectProblem(conclude(stage.client), 'permission.denied')
    await expectProblem(conclude(stage.lead), 'goal.incomplete')
    expect((await world.goal(stage.goal.id)).state).toBe('underway')
    expect(await countAudit(stage, stage.goal.id, 'goal.conclude')).toBe(0)
  })
  it('binds the payment to the very message that concludes', async () => {
    const stage = await setStage(world, 'bound-')
    await deliverStage(stage)
    await stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'delivered', parts: [] })
    expect(await countAudit(stage, stage.goal.id, 'goal.conclude')).toBe(1)
    const goal = await world.goal(stage.goal.id)
    expect(goal.state).toBe('review')
    await expectProblem(
      stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'failed', parts: [] }),
      'goal.wrong_state',
    )
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id })
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    const message = await world.system.db.message.findFirstOrThrow({ where: { groupId: goal.groupId, seq: goal.conclusionSeq ?? 0 } })
    expect((await getProof(world.system, stage.goal.id)).conclusionHash).toBe(`0x${message.hash}`)
    expect(message.type).toBe('conclusion')
  })
  it('sends everything back where the principal says it failed', async () => {
    const stage = await setStage(world, 'failed-')
    await sealStage(stage)
    await doStep(stage, 1, stage.first)
    await stage.lead.send({
      type: 'goal.conclude',
      goal_id: stage.goal.id,
      outcome: 'failed',
      parts: [{ text: 'The criteria can’t be met.' }],
    })
    await world.until('the refund', async () => (await world.goal(stage.goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, stage.client.account.address)).toBe(1_000_000_000n)
  })
})
