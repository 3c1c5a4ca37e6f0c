import { describe, expect, it } from 'vitest'
import type { Context } from '../../../server/context.ts'
import { inTransaction } from '../../../server/db.ts'
import { giveFeedback, inviteFeedback, loadScores, recordTaskOutcome } from '../../../server/reputation/index.ts'
import { anonymous, codeOf, openRoomWorld, type Person, system } from '../database-only-world.ts'

const world = openRoomWorld()

/** A task that ended so, with an invitation for the person where it was paid. */
async function served(person: Person, outcome: 'paid' | 'refunded' = 'paid') {
  const ids = world.ctx.ids
  const task = { taskId: ids.next('tsk'), goalId: ids.next('gol'), agentId: ids.next('agt'), amount: 250_000n }
  await recordTaskOutcome(world.as(system), { ...task, payerId: person.actor.did, asset: 'iso4217:USD', outcome })
  if (outcome === 'paid') await inviteFeedback(world.as(system), { ...task, by: person.actor.did })
  return task
}
const give = (ctx: Context, taskId: string, value = 80, text = 'Good.') =>
  codeOf(giveFeedback(ctx, { type: 'feedback.give', task_id: taskId, value, text }))
const given = (taskId: string) => world.db.feedback.count({ where: { taskId } })

describe('giveFeedback', () => {
  it('refuses who was not invited: a stranger, another person, another agent, the judged agent itself', async () => {
    const task = await served(world.person())
    expect(await give(world.as(anonymous), task.taskId)).toBe('auth.required')
    expect(await give(world.person().ctx, task.taskId)).toBe('feedback.not_entitled')
    expect(await give(world.agent(world.ctx.ids.next('agt')), task.taskId)).toBe('feedback.not_entitled')
    expect(await give(world.agent(task.agentId), task.taskId)).toBe('feedback.not_entitled')
    expect(await given(task.taskId)).toBe(0)
  })

  it('refuses a step that was refunded, even with an invitation', async () => {
    const person = world.person()
    const task = await served(person, 'refunded')
    await world.db.feedbackInvite.create({ data: { ...task, by: person.actor.did, invitedAt: world.clock.now() } })
    expect(await give(person.ctx, task.taskId)).toBe('feedback.not_entitled')
  })

  it('refuses a text that would not pass the screen', async () => {
    const person = world.person()
    const task = await served(person)
    expect(await give(person.ctx, task.taskId, 80, 'Good\u202e.')).toBe('content.refused')
    expect(await given(task.taskId)).toBe(0)
  })

  it('writes one audit row and one event, and changes the score', async () => {
    const person = world.person()
    const task = await served(person)
    expect(await give(person.ctx, task.taskId, 100)).toEqual({ feedback_id: expect.stringMatching(/^fbk_/) })
    expect(await world.audit(task.agentId)).toEqual(['feedback.give'])
    const events = await world.db.outboxEvent.findMany({ where: { type: 'feedback.given' } })
    expect(events.map((row) => row.body)).toContainEqual(
      expect.objectContaining({ task_id: task.taskId, agent_id: task.agentId, goal_id: task.goalId }),
    )
    expect((await loadScores(world.ctx, [task.agentId])).get(task.agentId)).toMatchObject({ n: 1, mean: 100, paid_steps: 1, payers: 1 })
  })

  it('lets an agent judge what served it', async () => {
    const task = await served(world.person())
    const did = 'did:web:example.org:agents:writer'
    await inviteFeedback(world.as(system), { ...task, by: did })
    expect(await give(world.agent(world.ctx.ids.next('agt'), did), task.taskId)).toHaveProperty('feedback_id')
  })

  it('answers a repeated judgement as before and refuses a changed one', async () => {
    const person = world.person()
    const task = await served(person)
    const first = await give(person.ctx, task.taskId)
    expect(await give(person.ctx, task.taskId)).toEqual(first)
    expect(await give(person.ctx, task.taskId, 81)).toBe('feedback.already_given')
    expect(await give(person.ctx, task.taskId, 80, 'Bad.')).toBe('feedback.already_given')
    expect(await given(task.taskId)).toBe(1)
    expect(await world.audit(task.agentId)).toEqual(['feedback.give'])
  })

  it('makes a second judgement wait for the first, and then sees it', async () => {
    const person = world.person()
    const task = await served(person)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: written, resolve: write } = Promise.withResolvers<void>()
    const first = inTransaction(person.ctx, async (tx) => {
      const answer = await give(tx, task.taskId, 50)
      write()
      await released
      return answer
    })
    await written
    const others = [give(person.ctx, task.taskId, 50), give(person.ctx, task.taskId, 51)]
    await world.blocked(2)
    release()
    expect(await Promise.all(others)).toEqual([await first, 'feedback.already_given'])
    expect(await given(task.taskId)).toBe(1)
    expect(await world.audit(task.agentId)).toEqual(['feedback.give'])
  })
})
