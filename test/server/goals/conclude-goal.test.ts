import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSettlementProof, listPayouts } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { balanceOf } from '../../support/money.ts'
import { countAudit, deliverStage, doStep, newTaskId, sealStage, setStage, stepPrice } from '../../support/stage.ts'
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
    await stage.lead.send({
      type: 'goal.conclude',
      goal_id: stage.goal.id,
      outcome: 'delivered',
      parts: [{ text: 'Both texts are there.' }],
    })
    expect(await countAudit(stage, stage.goal.id, 'goal.conclude')).toBe(1)
    const goal = await world.goal(stage.goal.id)
    expect(goal.state).toBe('review')
    await expectProblem(
      stage.lead.send({ type: 'goal.conclude', goal_id: stage.goal.id, outcome: 'failed', parts: [] }),
      'goal.wrong_state',
    )
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id })
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    const message = await world.system.db.message.findFirstOrThrow({ where: { roomId: goal.roomId, seq: goal.conclusionSeq ?? 0 } })
    expect((await getSettlementProof(world.system, stage.goal.id)).conclusionHash).toBe(`0x${message.hash}`)
    expect(message.type).toBe('conclusion')
  })
  const failed = { type: 'goal.conclude', outcome: 'failed', parts: [{ text: 'The criteria can’t be met.' }] } as const

  it('leaves what was completed to the client where the principal says it failed, and sends the rest back with it', async () => {
    const stage = await setStage(world, 'part-')
    await sealStage(stage)
    const done = await doStep(stage, 1, stage.first)
    const left = newTaskId()
    await stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: left, step: 2 })
    await expectProblem(stage.first.send({ ...failed, goal_id: stage.goal.id }), 'goal.not_principal')
    expect(await stage.lead.send({ ...failed, goal_id: stage.goal.id })).toMatchObject({ state: 'review' })
    const goal = await world.goal(stage.goal.id)
    expect(goal).toMatchObject({ state: 'review', outcome: 'failed' })
    expect(goal.reviewBy?.getTime()).toBeGreaterThan(world.clock.now().getTime())
    expect(await countAudit(stage, goal.id, 'team.disband')).toBe(1)
    const told = await world.system.db.message.findFirstOrThrow({ where: { roomId: goal.roomId }, orderBy: { seq: 'desc' } })
    expect(told.body).toContain('"goal.unfinished"')

    // Nobody works on: neither the one at it, nor another under this charter or the next.
    await expectProblem(stage.second.send({ type: 'task.complete', task_id: left, artifacts: [] }), 'task.wrong_state')
    await expectProblem(stage.lead.send({ type: 'task.assign', goal_id: goal.id, task_id: newTaskId(), step: 2 }), 'task.wrong_state')
    await expectProblem(
      stage.lead.send({ type: 'team.propose', goal_id: goal.id, charter: stage.charter({ version: 2 }) }),
      'team.wrong_state',
    )
    expect((await listPayouts(world.system, { goalId: goal.id })).map(({ state }) => state)).toEqual(['sealed', 'sealed'])

    expect(await stage.client.send({ type: 'task.accept', goal_id: goal.id })).toMatchObject({ accepted: [done] })
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: goal.id })).map(({ state }) => state)).toEqual(['paid', 'refunded'])
    const fee = (stepPrice * 250n) / 10_000n
    expect(await balanceOf(world.chain, stage.client.account.address)).toBe(1_000_000_000n - stepPrice - fee)
  })

  it('sends everything back at once where it failed and nothing was completed', async () => {
    const stage = await setStage(world, 'failed-')
    await sealStage(stage)
    await stage.lead.send({ ...failed, goal_id: stage.goal.id })
    await world.until('the refund', async () => (await world.goal(stage.goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, stage.client.account.address)).toBe(1_000_000_000n)
  })
})
