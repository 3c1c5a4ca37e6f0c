import type { Envelope } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLog } from '../../../../server/delivery/index.ts'
import { expireReview, expireRevision, listGoalRevisions } from '../../../../server/goals/index.ts'
import { listPayouts } from '../../../../server/settlement/index.ts'
import { listTasks } from '../../../../server/tasks/index.ts'
import { listSteps } from '../../../../server/teams/index.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { balanceOf } from '../../../support/money.ts'
import { countAudit, deliverStage, doStep, newTaskId, type Stage, setStage, stepPrice, textUpload } from '../../../support/stage.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const day = 86_400_000

/** A delivered goal with some rounds, and its task ids. */
async function delivered(prefix: string, rounds = 2): Promise<{ stage: Stage; taskIds: string[]; ask: Ask }> {
  const brief = { text: 'Write two short texts, please.', deadlineMs: day, more: { revision_rounds: rounds } }
  const stage = await setStage(world, prefix, (client) => world.postFundedGoal(client, brief))
  const taskIds = await deliverStage(stage)
  const ask: Ask = (round, task_ids, reason = 'Make it longer.') =>
    stage.client.send({ type: 'revision.request', goal_id: stage.goal.id, round, task_ids: [...task_ids], reason })
  return { stage, taskIds, ask }
}
type Ask = (round: number, taskIds: readonly (string | undefined)[], reason?: string) => Promise<Record<string, unknown>>

const conclude = ({ lead, goal }: Stage, outcome = 'delivered') =>
  lead.send({ type: 'goal.conclude', goal_id: goal.id, outcome, parts: [{ text: 'Here it is again.' }] })
const stepsOf = async ({ goal }: Stage) => (await listSteps(world.system, goal.id)).map(({ state }) => state)
const acceptances = async ({ goal }: Stage) =>
  (await listTasks(world.system, goal.id)).map((task) => (task.state === 'completed' ? task.acceptance : task.state))

describe('requestRevision', () => {
  it('refuses agents, strangers, a missing round and a wrong one', async () => {
    const { stage, taskIds, ask } = await delivered('who-')
    const stranger = await world.person({ usdc: 0n })
    const command = { type: 'revision.request', goal_id: stage.goal.id, round: 1, task_ids: taskIds, reason: 'Longer.' } as const
    await expectProblem(stranger.send(command), 'goal.not_client')
    await expectProblem(stage.first.send(command), 'permission.denied')
    await expectProblem(stage.lead.send(command), 'permission.denied')
    await expectProblem(ask(2, taskIds), 'goal.wrong_state')
    await expectProblem(ask(1, ['tsk_0192f0c1a2b37c4d8e5f60718293a4b9']), 'task.not_found')
    expect(await stepsOf(stage)).toEqual(['done', 'done'])
    const none = await delivered('none-', 0)
    await expectProblem(none.ask(1, none.taskIds), 'revision.none_left')
  })
  it('sends the step and those that build on it back, tells the room why, and starts the review again with the next delivery', async () => {
    const { stage, taskIds, ask } = await delivered('again-')
    const [first, second] = taskIds
    const former = await world.goal(stage.goal.id)
    expect(await ask(1, [first])).toMatchObject({ round: 1, state: 'underway' })
    expect(await ask(1, [first])).toMatchObject({ round: 1 })
    await expectProblem(ask(1, [first], 'Another reason.'), 'request.id_reused')
    expect(await countAudit(stage, stage.goal.id, 'revision.request')).toBe(1)
    expect(await stepsOf(stage)).toEqual(['planned', 'planned'])
    expect(await acceptances(stage)).toEqual(['changes_requested', 'changes_requested'])
    expect(await world.goal(stage.goal.id)).toMatchObject({ state: 'underway', outcome: null, reviewBy: null, revisions: 1 })
    const log = await readLog(world.system, { roomId: stage.goal.roomId, after: 0, limit: 1_000 })
    const said = (JSON.parse(log.at(-1)?.body ?? '') as Envelope).parts
    expect(said[0]?.text).toBe('The client requests changes (round 1 of 2): Make it longer.')
    expect(said[1]?.data).toMatchObject({ kind: 'revision.requested', round: 1, rounds: 2, task_ids: [first, second], steps: [1, 2] })
    // What was delivered once is not paid meanwhile, and the former clock ends nothing.
    await expectProblem(stage.client.send({ type: 'task.accept', goal_id: stage.goal.id, task_ids: [first] }), 'task.wrong_state')
    await expectProblem(conclude(stage), 'goal.incomplete')
    world.clock.advance(1_800_000)
    await doStep(stage, 1, stage.first)
    await doStep(stage, 2, stage.second)
    await conclude(stage)
    const review = await world.goal(stage.goal.id)
    expect(review.state).toBe('review')
    expect((review.reviewBy?.getTime() ?? 0) - (former.reviewBy?.getTime() ?? 0)).toBeGreaterThanOrEqual(1_800_000)
    expect((await listGoalRevisions(world.system, stage.goal.id)).map(({ endedAt }) => endedAt !== null)).toEqual([true])
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id })
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: stage.goal.id })).map((payout) => payout.state)).toEqual(['paid', 'paid'])
  })
  it('leaves a step as it is that nothing depends on, and ends with the agreed rounds', async () => {
    const { stage, taskIds, ask } = await delivered('last-', 1)
    await ask(1, [taskIds[1]])
    expect(await stepsOf(stage)).toEqual(['done', 'planned'])
    const again = await doStep(stage, 2, stage.second)
    await conclude(stage)
    await expectProblem(ask(2, [again]), 'revision.none_left')
    await expectProblem(ask(2, [taskIds[1]]), 'revision.none_left')
  })
  it('keeps the agent of a delivered step', async () => {
    const { stage, taskIds, ask } = await delivered('keep-')
    await ask(1, [taskIds[1]])
    const [one, two] = stage.charter().steps
    const other = { ...two, agent_id: stage.first.agentId, sender_id: stage.first.did, skill_id: 'text.first', payee: stage.first.payee }
    const charter = stage.charter({ version: 2, steps: [one, other] as never })
    await expectProblem(stage.lead.send({ type: 'team.propose', goal_id: stage.goal.id, charter }), 'team.charter_invalid')
    // Also after another attempt has failed.
    const taskId = newTaskId()
    await stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: taskId, step: 2 })
    await stage.second.send({ type: 'task.fail', task_id: taskId, reason: 'I can not.' })
    await expectProblem(stage.lead.send({ type: 'team.propose', goal_id: stage.goal.id, charter }), 'team.charter_invalid')
  })
  it('is refused for decided steps, for a failed goal and shortly before the deadline', async () => {
    const { stage, taskIds, ask } = await delivered('late-')
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id, task_ids: [taskIds[0]] })
    await expectProblem(ask(1, taskIds), 'task.wrong_state')
    world.clock.advance(day - 50_000)
    await expectProblem(ask(1, [taskIds[1]]), 'goal.deadline_passed')
  })
  it('pays the last delivery where the client stops the goal meanwhile', async () => {
    const { stage, taskIds, ask } = await delivered('stop-')
    await ask(1, [taskIds[1]])
    await stage.lead.send({ type: 'task.assign', goal_id: stage.goal.id, task_id: newTaskId(), step: 2 })
    await stage.client.send({ type: 'goal.cancel', goal_id: stage.goal.id })
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    const fee = (2n * stepPrice * 250n) / 10_000n
    expect(await balanceOf(world.chain, stage.client.account.address)).toBe(1_000_000_000n - 2n * stepPrice - fee)
  })
  it('has the last delivery in review where the principal gives up', async () => {
    const { stage, taskIds, ask } = await delivered('fail-')
    await ask(1, [taskIds[1]])
    await conclude(stage, 'failed')
    expect(await world.goal(stage.goal.id)).toMatchObject({ state: 'review', outcome: 'failed' })
    expect(await acceptances(stage)).toEqual(['pending', 'pending'])
    await expectProblem(ask(2, [taskIds[1]]), 'goal.wrong_state')
  })
})

describe('expireRevision', () => {
  it('has the last delivery in review again at the deadline, for as long as the terms say', async () => {
    const { stage, taskIds, ask } = await delivered('clock-')
    const { id, deadline } = stage.goal
    const former = await world.goal(id)
    await ask(1, taskIds)
    await expireRevision(world.system, id)
    expect((await world.goal(id)).state).toBe('underway')
    const task_id = newTaskId()
    await stage.lead.send({ type: 'task.assign', goal_id: id, task_id, step: 1 })
    await stage.first.send({ type: 'task.complete', task_id, artifacts: [textUpload('A longer text.')] })
    world.clock.advance(deadline.getTime() - world.clock.now().getTime() + 1_000)
    await expireRevision(world.system, id)
    const review = await world.goal(id)
    expect(review).toMatchObject({ state: 'review', outcome: 'delivered', conclusionSeq: former.conclusionSeq, answer: former.answer })
    expect(review.reviewBy).toEqual(new Date(deadline.getTime() + review.reviewHours * 3_600_000))
    // Of the step that was done again the newer work counts.
    expect((await listSteps(world.system, id)).map((step) => step.taskId)).toEqual([task_id, taskIds[1]])
    expect(await countAudit(stage, id, 'revision.expire')).toBe(1)
    await expireRevision(world.system, id)
    expect(await countAudit(stage, id, 'revision.expire')).toBe(1)
    world.clock.advance(review.reviewHours * 3_600_000)
    await expireReview(world.system, id)
    await world.until('the payment', async () => (await world.goal(id)).state === 'paid')
    expect((await listPayouts(world.system, { goalId: id })).map((payout) => payout.state)).toEqual(['paid', 'paid'])
  })
})
