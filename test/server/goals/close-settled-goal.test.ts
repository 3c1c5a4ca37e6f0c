import { newMessageId } from '@parley/agents'
import type { DeliveredEnvelope, GoalOffer } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listMembers } from '../../../server/conversations/index.ts'
import { readStoredMessages } from '../../../server/delivery/index.ts'
import { closeSettledGoal, listFollowUps } from '../../../server/goals/index.ts'
import { getAgentInboxId } from '../../../server/registry/index.ts'
import { loadScores } from '../../../server/reputation/index.ts'
import { listPayouts, reconcile } from '../../../server/settlement/index.ts'
import { listArtifactsUnchecked } from '../../../server/tasks/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import {
  countAudit,
  createFundedGoal,
  deliverForReview,
  type GoalFixture,
  publishTestAgent,
  stepPrice,
} from '../../support/goal-fixture.ts'
import { balanceOf } from '../../support/test-money.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
let taskIds: string[]
/** The goal that follows. */
let again: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
  taskIds = await deliverForReview(fixture)
})
afterAll(() => world[Symbol.asyncDispose]())

const inboxKinds = async (agentId: string) => {
  const rows = await readStoredMessages(world.system, { roomId: await getAgentInboxId(world.system, agentId), after: 0, limit: 100 })
  const kinds = rows.map((row) => JSON.parse(row.body).parts.find((part: { data?: { kind: string } }) => part.data)?.data?.kind as string)
  // Receipts arrive asynchronously.
  return kinds.filter((kind) => kind !== 'task.receipt')
}

const payoutsOf = async (of: GoalFixture) =>
  (await listPayouts(world.system, { goalId: of.goal.id })).map(({ id, amount, state, tx }) => [id, amount, state, tx])

describe('closeSettledGoal', () => {
  it('refuses feedback before the step is paid', async () => {
    await expectProblem(fixture.client.send({ type: 'feedback.give', task_id: taskIds[0], value: 90 }), 'feedback.not_entitled')
    await closeSettledGoal(world.system, fixture.goal.id)
    expect((await world.goal(fixture.goal.id)).state).toBe('review')
  })
  it('notifies each party once, and lets the parties rate whom the step has served', async () => {
    await fixture.client.send({ type: 'task.accept', goal_id: fixture.goal.id })
    await world.until('the payment', async () => (await world.goal(fixture.goal.id)).state === 'paid')
    await closeSettledGoal(world.system, fixture.goal.id)
    expect(await countAudit(fixture, fixture.goal.id, 'goal.close')).toBe(1)
    expect(await inboxKinds(fixture.first.agentId)).toEqual(['team.invite', 'payout', 'goal.closed'])
    expect(await inboxKinds(fixture.second.agentId)).toEqual(['team.invite', 'feedback.invite', 'payout', 'goal.closed'])

    await fixture.second.send({ type: 'feedback.give', task_id: taskIds[0], value: 80, text: 'Easy to work with.' })
    await fixture.client.send({ type: 'feedback.give', task_id: taskIds[1], value: 100 })
    await expectProblem(fixture.first.send({ type: 'feedback.give', task_id: taskIds[1], value: 0 }), 'feedback.not_entitled')
    await expectProblem(fixture.client.send({ type: 'feedback.give', task_id: taskIds[1], value: 0 }), 'feedback.already_given')
    const scores = await loadScores(world.system, [fixture.first.agentId, fixture.second.agentId])
    expect(scores.get(fixture.first.agentId)).toMatchObject({ n: 1, paid_steps: 1 })
    expect(scores.get(fixture.second.agentId)?.score).toBeGreaterThan(scores.get(fixture.first.agentId)?.score ?? 100)
  })

  it('lets its client alone continue from there: the files available, those who did it named, and linked to the former goal', async () => {
    const brief = (follows: string) => ({
      text: 'Now write a third text.',
      criteria: [{ text: 'It is there.' }],
      budget: '5000000',
      deadline: new Date(Date.now() + 3_600_000).toISOString(),
      follows,
    })
    const post = (who: GoalFixture['client'], follows = fixture.goal.id) =>
      who.send<{ goal_id: string }>({ type: 'goal.post', id: newMessageId(), goal: brief(follows) })
    await expectProblem(post(await world.person({ usdc: 0n })), 'goal.not_client')
    await expectProblem(post(fixture.client, 'gol_00000000000000000000000000000000'), 'goal.not_found')
    const { goal_id } = await post(fixture.client)
    await expectProblem(post(fixture.client, goal_id), 'goal.wrong_state')
    // A private one stays unknown to those who are only in the former room.
    const secret = { text: 'Write a secret text.', follows: fixture.goal.id, more: { visibility: 'private' } }
    const { id: secretId } = await world.postFundedGoal(fixture.client, secret)
    const goal = await world.postFundedGoal(fixture.client, { text: 'Now write a third text.', follows: fixture.goal.id })
    const files = await listArtifactsUnchecked(world.system, goal.id)
    expect(files.map((file) => [file.artifact_type, file.task_id])).toEqual([['text.plain', null]])
    // Once it is funded, planners receive the goal and the room that it follows.
    const followed = (await readStoredMessages(world.system, { roomId: fixture.goal.roomId, after: 0, limit: 200 }))
      .flatMap(({ body }) => (JSON.parse(body) as DeliveredEnvelope).parts.map((part) => part.data))
      .filter((data) => data?.kind === 'goal.followed')
    expect(followed).toMatchObject([{ goal_id: goal.id, room_id: goal.roomId }])
    const other = await publishTestAgent(world, fixture.publisher, 'other-lead', 'goal.plan', ['plan'])
    const { offer } = await other.send<{ offer: GoalOffer }>({ type: 'goal.claim', goal_id: goal.id })
    expect(offer.follows).toMatchObject({ goal_id: fixture.goal.id, room_id: fixture.goal.roomId })
    expect(new Set(offer.follows?.agents)).toEqual(new Set([fixture.first.agentId, fixture.second.agentId]))
    expect((await listMembers(world.system, fixture.goal.roomId)).some((one) => one.memberId === other.did)).toBe(true)
    const next = { goal_id: goal.id as never, room_id: goal.roomId as never, principal_id: other.did as never }
    again = { ...fixture, lead: other, goal, charter: (changes) => fixture.charter({ ...next, ...changes }) }
    // The one that was never paid for is none.
    expect(await listFollowUps(fixture.client.ctx, fixture.goal.id)).toEqual([
      { id: secretId, text: secret.text },
      { id: goal.id, text: 'Now write a third text.' },
    ])
  })

  it('pays a follow-up from its own hold, and leaves what was settled before as it is', async () => {
    const [before, paid] = [await balanceOf(world.chain, again.first.payee as `0x${string}`), await payoutsOf(fixture)]
    await deliverForReview(again)
    await again.client.send({ type: 'task.accept', goal_id: again.goal.id })
    await world.until('the payment', async () => (await world.goal(again.goal.id)).state === 'paid')
    // Both workers are one publisher's.
    expect((await balanceOf(world.chain, again.first.payee as `0x${string}`)) - before).toBe(2n * stepPrice)
    expect((await payoutsOf(again)).map(([, , state]) => state)).toEqual(['paid', 'paid'])
    expect(await payoutsOf(fixture)).toEqual(paid)
    expect(await reconcile(world.system)).toMatchObject({ onlyLedger: [], onlyChain: [], differing: [] })
  })
})
