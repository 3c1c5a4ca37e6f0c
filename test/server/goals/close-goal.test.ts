import { newMessageId } from '@parley/agents'
import type { DeliveredEnvelope, GoalOffer } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMembers } from '../../../server/conversations/index.ts'
import { readLog } from '../../../server/delivery/index.ts'
import { closeGoal, listFollowUps } from '../../../server/goals/index.ts'
import { getInbox } from '../../../server/registry/index.ts'
import { loadScores } from '../../../server/reputation/index.ts'
import { listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { listArtifacts } from '../../../server/tasks/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { balanceOf } from '../../support/money.ts'
import { castAgent, countAudit, deliverStage, type Stage, setStage, stepPrice } from '../../support/stage.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let stage: Stage
let taskIds: string[]
/** The goal that follows. */
let again: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
  taskIds = await deliverStage(stage)
})
afterAll(() => world[Symbol.asyncDispose]())

const inboxKinds = async (agentId: string) => {
  const rows = await readLog(world.system, { roomId: await getInbox(world.system, agentId), after: 0, limit: 100 })
  const kinds = rows.map((row) => JSON.parse(row.body).parts.find((part: { data?: { kind: string } }) => part.data)?.data?.kind as string)
  // Receipts arrive asynchronously.
  return kinds.filter((kind) => kind !== 'task.receipt')
}

const payoutsOf = async (of: Stage) =>
  (await listPayouts(world.system, { goalId: of.goal.id })).map(({ id, amount, state, tx }) => [id, amount, state, tx])

describe('closeGoal', () => {
  it('refuses feedback before the step is paid', async () => {
    await expectProblem(stage.client.send({ type: 'feedback.give', task_id: taskIds[0], value: 90 }), 'feedback.not_entitled')
    await closeGoal(world.system, stage.goal.id)
    expect((await world.goal(stage.goal.id)).state).toBe('review')
  })
  it('tells everybody once, and lets those judge whom the step has served', async () => {
    await stage.client.send({ type: 'task.accept', goal_id: stage.goal.id })
    await world.until('the payment', async () => (await world.goal(stage.goal.id)).state === 'paid')
    await closeGoal(world.system, stage.goal.id)
    expect(await countAudit(stage, stage.goal.id, 'goal.close')).toBe(1)
    expect(await inboxKinds(stage.first.agentId)).toEqual(['team.invite', 'payout', 'goal.closed'])
    expect(await inboxKinds(stage.second.agentId)).toEqual(['team.invite', 'feedback.invite', 'payout', 'goal.closed'])

    await stage.second.send({ type: 'feedback.give', task_id: taskIds[0], value: 80, text: 'Easy to work with.' })
    await stage.client.send({ type: 'feedback.give', task_id: taskIds[1], value: 100 })
    await expectProblem(stage.first.send({ type: 'feedback.give', task_id: taskIds[1], value: 0 }), 'feedback.not_entitled')
    await expectProblem(stage.client.send({ type: 'feedback.give', task_id: taskIds[1], value: 0 }), 'feedback.already_given')
    const scores = await loadScores(world.system, [stage.first.agentId, stage.second.agentId])
    expect(scores.get(stage.first.agentId)).toMatchObject({ n: 1, paid_steps: 1 })
    expect(scores.get(stage.second.agentId)?.score).toBeGreaterThan(scores.get(stage.first.agentId)?.score ?? 100)
  })

  it('lets its client alone go on from there: the files at hand, those who did it named, and told where it was', async () => {
    const brief = (follows: string) => ({
      text: 'Now write a third text.',
      criteria: [{ text: 'It is there.' }],
      budget: '5000000',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      follows,
    })
    const post = (who: Stage['client'], follows = stage.goal.id) =>
      who.send<{ goal_id: string }>({ type: 'goal.post', id: newMessageId(), goal: brief(follows) })
    await expectProblem(post(await world.person({ usdc: 0n })), 'goal.not_client')
    await expectProblem(post(stage.client, 'gol_00000000000000000000000000000000'), 'goal.not_found')
    const { goal_id } = await post(stage.client)
    await expectProblem(post(stage.client, goal_id), 'goal.wrong_state')
    const goal = await world.postFundedGoal(stage.client, { text: 'Now write a third text.', follows: stage.goal.id })
    const files = await listArtifacts(world.system, goal.id)
    expect(files.map((file) => [file.artifact_type, file.task_id])).toEqual([['text.plain', null]])
    // Once it is funded, planners receive the goal and the room that it follows.
    const followed = (await readLog(world.system, { roomId: stage.goal.roomId, after: 0, limit: 200 }))
      .flatMap(({ body }) => (JSON.parse(body) as DeliveredEnvelope).parts.map((part) => part.data))
      .filter((data) => data?.kind === 'goal.followed')
    expect(followed).toMatchObject([{ goal_id: goal.id, room_id: goal.roomId }])
    const other = await castAgent(world, stage.publisher, 'other-lead', 'goal.plan', ['plan'])
    const { offer } = await other.send<{ offer: GoalOffer }>({ type: 'goal.claim', goal_id: goal.id })
    expect(offer.follows).toMatchObject({ goal_id: stage.goal.id, room_id: stage.goal.roomId })
    expect(new Set(offer.follows?.agents)).toEqual(new Set([stage.first.agentId, stage.second.agentId]))
    expect((await listMembers(world.system, stage.goal.roomId)).some((one) => one.memberId === other.did)).toBe(true)
    const next = { goal_id: goal.id as never, room_id: goal.roomId as never, principal_id: other.did as never }
    again = { ...stage, lead: other, goal, charter: (changes) => stage.charter({ ...next, ...changes }) }
    // The one that was never paid for is none.
    expect(await listFollowUps(stage.client.ctx, stage.goal.id)).toEqual([{ id: goal.id, text: 'Now write a third text.' }])
  })

  it('pays a follow-up from its own hold, and leaves what was settled before as it is', async () => {
    const [before, paid] = [await balanceOf(world.chain, again.first.payee as `0x${string}`), await payoutsOf(stage)]
    await deliverStage(again)
    await again.client.send({ type: 'task.accept', goal_id: again.goal.id })
    await world.until('the payment', async () => (await world.goal(again.goal.id)).state === 'paid')
    // Both workers are one publisher's.
    expect((await balanceOf(world.chain, again.first.payee as `0x${string}`)) - before).toBe(2n * stepPrice)
    expect((await payoutsOf(again)).map(([, , state]) => state)).toEqual(['paid', 'paid'])
    expect(await payoutsOf(stage)).toEqual(paid)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [] })
  })
})
