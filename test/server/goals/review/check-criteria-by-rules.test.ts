import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { applyClientSilenceOutcome, checkCriteriaByRules, remindClientOfReview } from '../../../../server/goals/index.ts'
import { readPersonInbox } from '../../../../server/notifications/index.ts'
import { getHold } from '../../../../server/settlement/index.ts'
import { listTasks } from '../../../../server/tasks/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createFundedGoal, doStep, type GoalFixture, sealTeamOf } from '../../../support/goal-fixture.ts'
import { balanceOf } from '../../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

type Brief = { readonly criteria: readonly string[]; readonly on_silence?: string; readonly text?: string }

/** A goal whose deliverable is the text of the conclusion, checked. */
async function checkedGoal(
  prefix: string,
  { criteria, on_silence = 'pay', text = 'Write two short texts, please.' }: Brief,
  answer = 'Text one has 3 km.',
) {
  const brief = { text, criteria: [...criteria], reviewHours: 4, more: { checked_review_hours: 1, on_silence } }
  const made = await createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, brief))
  const fixture: GoalFixture =
    on_silence === 'pay'
      ? made
      : { ...made, charter: (changes) => made.charter({ on_review_timeout: 'refund_unless_checked', ...changes }) }
  await sealTeamOf(fixture)
  const taskIds = [await doStep(fixture, 1, fixture.first), await doStep(fixture, 2, fixture.second)]
  await fixture.lead.send({ type: 'goal.conclude', goal_id: fixture.goal.id, outcome: 'delivered', parts: [{ text: answer }] })
  await world.until('the checks', async () => (await world.goal(fixture.goal.id)).checks !== null)
  return { fixture, taskIds, goal: await world.goal(fixture.goal.id) }
}

const hours = (goal: { reviewBy: Date | null; concludedAt: Date | null }) =>
  ((goal.reviewBy?.getTime() ?? 0) - (goal.concludedAt?.getTime() ?? 0)) / 3_600_000

describe('checkCriteriaByRules', () => {
  it('shortens the review of work whose criteria are all met by rule, and keeps the evidence', async () => {
    const { goal, fixture } = await checkedGoal('met-', { criteria: ['The answer states a number with the unit km.', 'At least 3 words'] })
    expect(goal.checks).toMatchObject({ isVerified: true, seq: goal.conclusionSeq })
    expect(goal.checks?.criteria.map(({ status }) => status)).toEqual(['met', 'met', 'met'])
    expect(goal.checks?.criteria[1]?.evidence).toBe('The answer states a number with the unit km.')
    expect(hours(goal)).toBe(1)
    await checkCriteriaByRules(world.system, fixture.goal.id)
    expect(await world.goal(fixture.goal.id)).toEqual(goal)
  })
  it('leaves the longer review where a criterion is not met, or no rule can decide', async () => {
    const { goal } = await checkedGoal('open-', { criteria: ['The answer states a number in EUR.', 'It reads well.'] })
    expect(goal.checks?.criteria.map(({ status }) => status)).toEqual(['met', 'failed', 'unchecked'])
    expect(goal.checks?.isVerified).toBe(false)
    expect(hours(goal)).toBe(4)
  })
  it('reports that nothing answers the goal', async () => {
    const { goal } = await checkedGoal('none-', { criteria: ['It reads well.'], text: 'How many orders are there?' }, 'There are orders.')
    expect(goal.checks?.criteria[0]).toEqual({
      text: 'There is an answer.',
      status: 'failed',
      evidence: 'Not answered: the goal asks for a number, and no deliverable states one.',
    })
  })
})

describe('a silent client', () => {
  it('has two notices, and its unchecked work is returned where the terms allow it', async () => {
    const { goal, fixture } = await checkedGoal('silent-', { criteria: ['It reads well.'], on_silence: 'refund' })
    expect(await getHold(world.system, goal.id)).toMatchObject({ onSilence: 'refund' })
    const subject = async () => (await readPersonInbox(fixture.client.ctx)).find((item) => item.id === goal.id)?.subject
    const first = await subject()
    await remindClientOfReview(world.system, goal.id)
    world.clock.advance(2 * 3_600_000)
    expect(await subject()).toBe(`${first}/2`)
    await remindClientOfReview(world.system, goal.id)
    world.clock.advance(2 * 3_600_000)
    await applyClientSilenceOutcome(world.system, goal.id)
    expect((await listTasks(world.system, goal.id)).map((task) => task.state === 'completed' && task.acceptance)).toEqual([
      'returned',
      'returned',
    ])
    await world.until('the time to dispute', async () => (await world.goal(goal.id)).state === 'settling')
    world.clock.advance(24 * 3_600_000)
    await world.until('the refund', async () => (await world.goal(goal.id)).state === 'refunded')
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n)
  })
  it('pays what rules found complete, regardless of the terms', async () => {
    const { goal, fixture } = await checkedGoal('paid-', { criteria: ['At least 3 words'], on_silence: 'refund' })
    world.clock.advance(3_600_000 + 1_000)
    await applyClientSilenceOutcome(world.system, fixture.goal.id)
    await world.until('the payment', async () => (await world.goal(goal.id)).state === 'paid')
  })
  it('has its choice in the charter that the members sign', async () => {
    const brief = { text: 'Write two short texts, please.', more: { on_silence: 'refund' } }
    const fixture = await createFundedGoal(world, 'signed-', (client) => world.postFundedGoal(client, brief))
    await expectProblem(
      fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter: fixture.charter() }),
      'team.charter_invalid',
    )
  })
})
