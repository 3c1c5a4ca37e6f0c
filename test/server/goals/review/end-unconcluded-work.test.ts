import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyClientSilenceOutcome, endUnconcludedWork } from '../../../../server/goals/index.ts'
import { getHold, getSettlementProof, listPayouts } from '../../../../server/settlement/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { countAudit, createFundedGoal, doStep, type GoalFixture, newTaskId, sealTeamOf, stepPrice } from '../../../support/goal-fixture.ts'
import { balanceOf } from '../../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const start = 1_000_000_000n
const fee = (stepPrice * 250n) / 10_000n

/** A goal under way whose terms refund what a silent client leaves open. */
async function underway(prefix: string, more: { readonly [field: string]: unknown } = {}): Promise<GoalFixture> {
  const brief = { text: 'Write two short texts, please.', more: { on_silence: 'refund', ...more } }
  const made = await createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, brief))
  const fixture: GoalFixture = { ...made, charter: (changes) => made.charter({ on_review_timeout: 'refund_unless_checked', ...changes }) }
  await sealTeamOf(fixture)
  return fixture
}

/** The latest time for the work has come, and the principal has said nothing. */
async function endWork({ goal }: GoalFixture): Promise<Date> {
  const { workBy } = await getHold(world.system, goal.id)
  world.clock.advance(workBy * 1_000 - world.clock.now().getTime())
  await endUnconcludedWork(world.system, goal.id)
  return new Date(workBy * 1_000)
}

const payouts = async ({ goal }: GoalFixture) => (await listPayouts(world.system, { goalId: goal.id })).map(({ state }) => state)
const isIn = (fixture: GoalFixture, state: string) => world.until(state, async () => (await world.goal(fixture.goal.id)).state === state)

describe('endUnconcludedWork', () => {
  it('pays an accepted step of a goal that its principal never concludes, also where silence refunds', async () => {
    const fixture = await underway('accepted-')
    const taskId = await doStep(fixture, 1, fixture.first)
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [taskId] })
    await endWork(fixture)
    await isIn(fixture, 'paid')
    expect(await payouts(fixture)).toEqual(['paid', 'refunded'])
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(start - stepPrice - fee)
    const { roomId, conclusionSeq } = await world.goal(fixture.goal.id)
    const conclusion = await world.system.db.message.findFirstOrThrow({ where: { roomId, seq: conclusionSeq ?? 0 } })
    expect(conclusion.body).toContain('"work.expired"')
    expect((await getSettlementProof(world.system, fixture.goal.id)).conclusionHash).toBe(`0x${conclusion.hash}`)
  })

  it('puts completed steps into review, which counts from that time, and ends the others', async () => {
    const fixture = await underway('review-', { max_extension_hours: 1 })
    await doStep(fixture, 1, fixture.first)
    const left = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: left, step: 2 })
    const until = await endWork(fixture)
    const goal = await world.goal(fixture.goal.id)
    expect(until.getTime()).toBe(Math.floor(goal.deadline.getTime() / 1_000) * 1_000 + 3_600_000)
    expect(goal).toMatchObject({ state: 'review', outcome: 'failed', reviewBy: new Date(until.getTime() + goal.reviewHours * 3_600_000) })
    await expectProblem(fixture.second.send({ type: 'task.complete', task_id: left, artifacts: [] }), 'task.wrong_state')
    await expectProblem(fixture.lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome: 'delivered', parts: [] }), 'goal.incomplete')
    await endUnconcludedWork(world.system, goal.id)
    expect(await countAudit(fixture, goal.id, 'work.expire')).toBe(1)
    // The payee of what is then returned has time to dispute.
    world.clock.advance(goal.reviewHours * 3_600_000)
    await applyClientSilenceOutcome(world.system, goal.id)
    await isIn(fixture, 'settling')
    expect((await getHold(world.system, goal.id)).disputeBy).toBeGreaterThan(world.clock.now().getTime() / 1_000)
  })

  it('sends everything back where nothing was completed', async () => {
    const fixture = await underway('nothing-')
    await endWork(fixture)
    await isIn(fixture, 'refunded')
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(start)
  })

  it('is scheduled when the work begins, and does nothing before its time or after a conclusion', async () => {
    const fixture = await underway('before-')
    const { id } = fixture.goal
    const { workBy } = await getHold(world.system, id)
    const jobs = () =>
      world.system.db.$queryRaw<{ runAt: Date }[]>`select "run_at" as "runAt" from graphile_worker.jobs where "key" = ${`work:${id}`}`
    expect(await jobs()).toEqual([{ runAt: new Date(workBy * 1_000) }])
    await endUnconcludedWork(world.system, id)
    expect((await world.goal(id)).state).toBe('underway')
    await doStep(fixture, 1, fixture.first)
    await doStep(fixture, 2, fixture.second)
    await fixture.lead.send({ type: 'goal.conclude', goal_id: id, outcome: 'delivered', parts: [{ text: 'Both are there.' }] })
    const review = await world.goal(id)
    await endWork(fixture)
    expect(await world.goal(id)).toMatchObject({ state: 'review', outcome: 'delivered', conclusionSeq: review.conclusionSeq })
  })

  it('leaves requested changes to the end of their round', async () => {
    const fixture = await underway('round-')
    const { id } = fixture.goal
    const task = await doStep(fixture, 1, fixture.first)
    await doStep(fixture, 2, fixture.second)
    await fixture.lead.send({ type: 'goal.conclude', goal_id: id, outcome: 'delivered', parts: [{ text: 'Both are there.' }] })
    await fixture.client.send({ type: 'revision.request', goal_id: id, round: 1, task_ids: [task], reason: 'Longer.' })
    await endWork(fixture)
    expect((await world.goal(id)).state).toBe('underway')
    expect(await countAudit(fixture, id, 'work.expire')).toBe(0)
  })
})
