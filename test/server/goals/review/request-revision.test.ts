import type { Envelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStoredMessages } from '../../../../server/delivery/index.ts'
import { applyClientSilenceOutcome, listGoalRevisions, reopenReviewAfterMissedRevision } from '../../../../server/goals/index.ts'
import { listPayouts } from '../../../../server/settlement/index.ts'
import { listTasks } from '../../../../server/tasks/index.ts'
import { listSteps } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import {
  countAudit,
  createFundedGoal,
  deliverForReview,
  doStep,
  type GoalFixture,
  newTaskId,
  stepPrice,
  textUpload,
} from '../../../support/goal-fixture.ts'
import { balanceOf } from '../../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const day = 86_400_000

/** A delivered goal with some rounds, and its task ids. */
async function delivered(prefix: string, rounds = 2): Promise<{ fixture: GoalFixture; taskIds: string[]; ask: Ask }> {
  const brief = { text: 'Write two short texts, please.', deadlineMs: day, more: { revision_rounds: rounds } }
  const fixture = await createFundedGoal(world, prefix, (client) => world.postFundedGoal(client, brief))
  const taskIds = await deliverForReview(fixture)
  const ask: Ask = (round, task_ids, reason = 'Make it longer.') =>
    fixture.client.send({ type: 'revision.request', goal_id: fixture.goal.id, round, task_ids: [...task_ids], reason })
  return { fixture, taskIds, ask }
}
type Ask = (round: number, taskIds: readonly (string | undefined)[], reason?: string) => Promise<Record<string, unknown>>

const conclude = ({ lead, goal }: GoalFixture, outcome = 'delivered') =>
  lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome, parts: [{ text: 'Here it is again.' }] })
const stepsOf = async ({ goal }: GoalFixture) => (await listSteps(world.system, goal.id)).map(({ state }) => state)
const acceptances = async ({ goal }: GoalFixture) =>
  (await listTasks(world.system, goal.id)).map((task) => (task.state === 'completed' ? task.acceptance : task.state))

describe('requestRevision', () => {
  it('refuses agents, strangers, a missing round and a wrong one', async () => {
    const { fixture, taskIds, ask } = await delivered('who-')
    const stranger = await world.person({ usdc: 0n })
    const command = { type: 'revision.request', goal_id: fixture.goal.id, round: 1, task_ids: taskIds, reason: 'Longer.' } as const
    await expectProblem(stranger.send(command), 'goal.not_client')
    await expectProblem(fixture.first.send(command), 'permission.denied')
    await expectProblem(fixture.lead.send(command), 'permission.denied')
    await expectProblem(ask(2, taskIds), 'goal.wrong_state')
    await expectProblem(ask(1, ['tsk_0192f0c1a2b37c4d8e5f60718293a4b9']), 'task.not_found')
    expect(await stepsOf(fixture)).toEqual(['done', 'done'])
    const none = await delivered('none-', 0)
    await expectProblem(none.ask(1, none.taskIds), 'revision.none_left')
  })
  it('sends the step and those that build on it back, gives the reason in the room, and starts the review again with the next delivery', async () => {
    const { fixture, taskIds, ask } = await delivered('again-')
    const [first, second] = taskIds
    const former = await world.goal(fixture.goal.id)
    expect(await ask(1, [first])).toMatchObject({ round: 1, state: 'underway' })
    expect(await ask(1, [first])).toMatchObject({ round: 1 })
    await expectProblem(ask(1, [first], 'Another reason.'), 'request.id_reused')
    expect(await countAudit(fixture, fixture.goal.id, 'revision.request')).toBe(1)
    expect(await stepsOf(fixture)).toEqual(['planned', 'planned'])
    expect(await acceptances(fixture)).toEqual(['changes_requested', 'changes_requested'])
    expect(await world.goal(fixture.goal.id)).toMatchObject({ state: 'underway', outcome: null, reviewBy: null, revisions: 1 })
    const log = await readStoredMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 1_000 })
    const lastParts = (JSON.parse(log.at(-1)?.body ?? '') as Envelope).parts
    expect(lastParts[0]?.text).toBe('The client requests changes (round 1 of 2): Make it longer.')
    expect(lastParts[1]?.data).toMatchObject({ kind: 'revision.requested', round: 1, rounds: 2, task_ids: [first, second], steps: [1, 2] })
    // What was delivered once is not paid meanwhile, and the former clock ends nothing.
    await expectProblem(fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [first] }), 'task.wrong_state')
    await expectProblem(conclude(fixture), 'goal.incomplete')
    world.clock.advance(1_800_000)
    await doStep(fixture, 1, fixture.first)
    await doStep(fixture, 2, fixture.second)
    await conclude(fixture)
    const review = await world.goal(fixture.goal.id)
    expect(review.state).toBe('review')
    expect((review.reviewBy?.getTime() ?? 0) - (former.reviewBy?.getTime() ?? 0)).toBeGreaterThanOrEqual(1_800_000)
    expect((await listGoalRevisions(world.system, fixture.goal.id)).map(({ endedAt }) => endedAt !== null)).toEqual([true])
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: fixture.goal.id })).map((payout) => payout.state)).toEqual(['paid', 'paid'])
  })
  it('leaves a step as it is that nothing depends on, and ends with the agreed rounds', async () => {
    const { fixture, taskIds, ask } = await delivered('last-', 1)
    await ask(1, [taskIds[1]])
    expect(await stepsOf(fixture)).toEqual(['done', 'planned'])
    const again = await doStep(fixture, 2, fixture.second)
    await conclude(fixture)
    await expectProblem(ask(2, [again]), 'revision.none_left')
    await expectProblem(ask(2, [taskIds[1]]), 'revision.none_left')
  })
  it('keeps the agent of a delivered step', async () => {
    const { fixture, taskIds, ask } = await delivered('keep-')
    await ask(1, [taskIds[1]])
    const [one, two] = fixture.charter().steps
    const other = {
      ...two,
      agent_id: fixture.first.agentId,
      sender_id: fixture.first.did,
      skill_id: 'text.first',
      payee: fixture.first.payee,
    }
    const charter = fixture.charter({ version: 2, steps: [one, other] as never })
    await expectProblem(fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter }), 'team.charter_invalid')
    // Also after another attempt has failed.
    const taskId = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: taskId, step: 2 })
    await fixture.second.send({ type: 'task.fail', task_id: taskId, reason: 'I can not.' })
    await expectProblem(fixture.lead.send({ type: 'team.propose', goal_id: fixture.goal.id, charter }), 'team.charter_invalid')
  })
  it('is refused for decided steps, for a failed goal and shortly before the deadline', async () => {
    const { fixture, taskIds, ask } = await delivered('late-')
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id, task_ids: [taskIds[0]] })
    await expectProblem(ask(1, taskIds), 'task.wrong_state')
    world.clock.advance(day - 50_000)
    await expectProblem(ask(1, [taskIds[1]]), 'goal.deadline_passed')
  })
  it('pays the last delivery where the client stops the goal meanwhile', async () => {
    const { fixture, taskIds, ask } = await delivered('stop-')
    await ask(1, [taskIds[1]])
    await fixture.lead.send({ type: 'task.assign', goal_id: fixture.goal.id, task_id: newTaskId(), step: 2 })
    await fixture.client.send({ type: 'goal.cancel', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    const fee = (2n * stepPrice * 250n) / 10_000n
    expect(await balanceOf(world.chain, fixture.client.account.address)).toBe(1_000_000_000n - 2n * stepPrice - fee)
  })
  it('has the last delivery in review where the principal gives up', async () => {
    const { fixture, taskIds, ask } = await delivered('fail-')
    await ask(1, [taskIds[1]])
    await conclude(fixture, 'failed')
    expect(await world.goal(fixture.goal.id)).toMatchObject({ state: 'review', outcome: 'failed' })
    expect(await acceptances(fixture)).toEqual(['pending', 'pending'])
    await expectProblem(ask(2, [taskIds[1]]), 'goal.wrong_state')
  })
})

describe('reopenReviewAfterMissedRevision', () => {
  it('has the last delivery in review again at the deadline, for as long as the terms define', async () => {
    const { fixture, taskIds, ask } = await delivered('clock-')
    const { id, deadline } = fixture.goal
    const former = await world.goal(id)
    await ask(1, taskIds)
    await reopenReviewAfterMissedRevision(world.system, id)
    expect((await world.goal(id)).state).toBe('underway')
    const task_id = newTaskId()
    await fixture.lead.send({ type: 'task.assign', goal_id: id, task_id, step: 1 })
    await fixture.first.send({ type: 'task.complete', task_id, artifacts: [textUpload('A longer text.')] })
    world.clock.advance(deadline.getTime() - world.clock.now().getTime() + 1_000)
    await reopenReviewAfterMissedRevision(world.system, id)
    const review = await world.goal(id)
    expect(review).toMatchObject({ state: 'review', outcome: 'delivered', conclusionSeq: former.conclusionSeq, answer: former.answer })
    expect(review.reviewBy).toEqual(new Date(deadline.getTime() + review.reviewHours * 3_600_000))
    // Of the step that was done again the newer work counts.
    expect((await listSteps(world.system, id)).map((step) => step.taskId)).toEqual([task_id, taskIds[1]])
    expect(await countAudit(fixture, id, 'revision.expire')).toBe(1)
    await reopenReviewAfterMissedRevision(world.system, id)
    expect(await countAudit(fixture, id, 'revision.expire')).toBe(1)
    world.clock.advance(review.reviewHours * 3_600_000)
    await applyClientSilenceOutcome(world.system, id)
    await world.until('the payment', async () => (await world.goal(id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: id })).map((payout) => payout.state)).toEqual(['paid', 'paid'])
  })
})
