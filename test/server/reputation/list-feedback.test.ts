import { Feedback } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { giveFeedback, inviteFeedback, listFeedback, listFeedbackInvites, recordTaskOutcome } from '../../../server/reputation/index.ts'
import { openRoomWorld, type Person, system } from '../database-only-world.ts'

const world = openRoomWorld()

async function served(agentId: string, person: Person) {
  const task = { taskId: world.ctx.ids.next('tsk'), goalId: world.ctx.ids.next('gol'), agentId, amount: 250_000n }
  await recordTaskOutcome(world.as(system), { ...task, payerId: person.actor.did, asset: 'iso4217:USD', outcome: 'paid' })
  await inviteFeedback(world.as(system), { ...task, by: person.actor.did })
  return task
}

describe('listFeedback', () => {
  it('gives pages, newest first, without a gap or a repetition', async () => {
    const agentId = world.ctx.ids.next('agt')
    for (let value = 1; value <= 7; value++) {
      const person = world.person()
      const task = await served(agentId, person)
      world.clock.advance(1_000)
      await giveFeedback(person.ctx, { type: 'feedback.give', task_id: task.taskId, value, text: `number ${value}` })
    }
    const values: number[] = []
    let after: string | undefined
    do {
      const { feedback, next } = await listFeedback(world.ctx, agentId, { limit: 3, after })
      for (const one of feedback) expect(Feedback.safeParse(one).success).toBe(true)
      values.push(...feedback.map((one) => one.value))
      after = next ?? undefined
    } while (after !== undefined)
    expect(values).toEqual([7, 6, 5, 4, 3, 2, 1])
  })

  it('gives nothing for an agent no one has judged', async () => {
    expect(await listFeedback(world.ctx, world.ctx.ids.next('agt'))).toEqual({ feedback: [], next: null })
  })
})

describe('listFeedbackInvites', () => {
  it('shows what waits for a judgement of this one, and no longer once it is given', async () => {
    const [person, other] = [world.person(), world.person()]
    const agentId = world.ctx.ids.next('agt')
    const [one, two] = [await served(agentId, person), await served(agentId, person)]
    await served(agentId, other)
    expect((await listFeedbackInvites(world.ctx, person.actor.did)).map((invite) => invite.task_id).sort()).toEqual(
      [one.taskId, two.taskId].sort(),
    )
    expect(await listFeedbackInvites(world.ctx, person.actor.did, one.goalId)).toMatchObject([{ task_id: one.taskId, amount: '250000' }])
    await giveFeedback(person.ctx, { type: 'feedback.give', task_id: one.taskId, value: 1, text: '' })
    expect((await listFeedbackInvites(world.ctx, person.actor.did)).map((invite) => invite.task_id)).toEqual([two.taskId])
  })
})
