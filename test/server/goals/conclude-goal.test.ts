import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSettlementProof, listPayouts } from '../../../server/settlement/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { countAudit, createFundedGoal, deliverForReview, doStep, newTaskId, sealTeamOf, stepPrice } from '../../support/goal-fixture.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

describe('concludeGoal', () => {
  it('refuses members, people, and a delivery with open steps', async () => {
    const fixture = await createFundedGoal(world, 'open-')
    await sealTeamOf(fixture)
    await doStep(fixture, 1, fixture.first)
    const conclude = (who: { send: typeof fixture.client.send }) =>
      who.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [] })
    await expectProblem(conclude(fixture.first), 'goal.not_principal')
    await expectProblem(conclude(fixture.client), 'permission.denied')
    await expectProblem(conclude(fixture.lead), 'goal.incomplete')
    expect((await world.goal(fixture.goal.id)).state).toBe('underway')
    expect(await countAudit(fixture, fixture.goal.id, 'goal.conclude')).toBe(0)
  })
  it('binds the payment to the very message that concludes', async () => {
    const fixture = await createFundedGoal(world, 'bound-')
    await deliverForReview(fixture)
    await fixture.lead.send({
      type: 'goal.conclude',
      goal_id: fixture.goal.id,
      outcome: 'delivered',
      parts: [{ text: 'Both texts are there.' }],
    })
    expect(await countAudit(fixture, fixture.goal.id, 'goal.conclude')).toBe(1)
    const goal = await world.goal(fixture.goal.id)
    expect(goal.state).toBe('review')
    await expectProblem(
      fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'failed', parts: [] }),
      'goal.wrong_state',
    )
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    const message = await world.system.db.message.findFirstOrThrow({ where: { roomId: goal.roomId, seq: goal.conclusionSeq ?? 0 } })
    expect((await getSettlementProof(world.system, fixture.goal.id)).conclusionHash).toBe(`0x${message.hash}`)
    expect(message.type).toBe('conclusion')
  })
  const failed = { type: 'goal.conclude', outcome: 'failed', parts: [{ text: 'The criteria can’t be met.' }] } as const

  it('leaves what was completed to the client where the principal says it failed, and sends the rest back with it', async () => {
    const fixture = await createFundedGoal(world, 'part-')
    await sealTeamOf(fixture)
    const done = await doStep(fixture, 1, fixture.first)
    const left = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: left, step: 2 })
    await expectProblem(fixture.first.send({ ...failed, goal_id: fixture.goal.id }), 'goal.not_principal')
    expect(await fixture.lead.send({ ...failed, goal_id: fixture.goal.id })).toMatchObject({ state: 'review' })
    const goal = await world.goal(fixture.goal.id)
    expect(goal).toMatchObject({ state: 'review', outcome: 'failed' })
    expect(goal.reviewBy?.getTime()).toBeGreaterThan(world.clock.now().getTime())
    expect(await countAudit(fixture, goal.id, 'team.disband')).toBe(1)
    const posted = await world.system.db.message.findFirstOrThrow({ where: { roomId: goal.roomId }, orderBy: { seq: 'desc' } })
    expect(posted.body).toContain('"goal.unfinished"')

    // No one works on: neither the one at it, nor another under this charter or the next.
    await expectProblem(fixture.second.send({ type: 'task.complete', task_id: left, artifacts: [] }), 'task.wrong_state')
    await expectProblem(fixture.lead.send({ type: 'task.assign', goal_id: goal.id, task_id: newTaskId(), step: 2 }), 'task.wrong_state')
    await expectProblem(
      fixture.lead.send({ type: 'team.propose', goal_id: goal.id, charter: fixture.charter({ version: 2 }) }),
      'team.wrong_state',
    )
    expect((await listPayouts(world.system, { goalId: goal.id })).map(({ state }) => state)).toEqual(['sealed', 'sealed'])

    expect(await fixture.client.send({ type: 'task.accept', goal_id: goal.id })).toMatchObject({ accepted: [done] })
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: goal.id })).map(({ state }) => state)).toEqual(['paid', 'refunded'])
    const fee = (stepPrice * 250n) / 10_000n
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n - stepPrice - fee)
  })

  it('sends everything back at once where it failed and nothing was completed', async () => {
    const fixture = await createFundedGoal(world, 'failed-')
    await sealTeamOf(fixture)
    await fixture.lead.send({ ...failed, goal_id: fixture.goal.id })
    await world.until('the refund', async () => (await world.goal(fixture.goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n)
  })
})
