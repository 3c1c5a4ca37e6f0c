import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRoomStatus } from '../../../../server/trpc/views/read-room-status.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { createFundedGoal, type GoalFixture, newTaskId, sealTeamOf, textUpload } from '../../../support/goal-fixture.ts'
import { openSubTeamRoom } from '../../../support/sub-team.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let fixture: GoalFixture
beforeAll(async () => {
  world = await createWorld({ hub: false })
  fixture = await createFundedGoal(world)
})
afterAll(() => world?.[Symbol.asyncDispose]())

const now = (roomId = fixture.goal.roomId) => readRoomStatus(fixture.client.ctx, { goalId: fixture.goal.id, roomId })

describe('readRoomStatus', () => {
  it('follows the room through its states, as the table has them', async () => {
    const goal_id = fixture.goal.id
    const [first, second] = [newTaskId(), newTaskId()]
    expect(await now()).toMatchObject({ state: 'open', lead: fixture.lead.did, waitsFor: [] })
    const steps = fixture.charter().steps.map((step) => ({ ...step, mode: 'sync' as const }))
    await sealTeamOf({ ...fixture, charter: () => fixture.charter({ steps }) })
    await fixture.lead.send({ type: 'task.assign', goal_id, task_id: first, step: 1 })
    expect(await now()).toMatchObject({ state: 'waiting', turn: null, waitsFor: [first] })
    const { room_id } = await openSubTeamRoom(fixture.first, first)
    expect(await now(room_id)).toMatchObject({ state: 'open', lead: fixture.first.did, waitsFor: [] })
    await fixture.first.send({ type: 'task.complete', task_id: first, artifacts: [textUpload('One.')] })
    expect(await now()).toMatchObject({ state: 'open', turn: { holder: fixture.lead.did }, waitsFor: [] })
    expect(await now(room_id)).toMatchObject({ state: 'concluded' })
    await fixture.lead.send({ type: 'task.assign', goal_id, task_id: second, step: 2 })
    await fixture.second.send({ type: 'task.complete', task_id: second, artifacts: [textUpload('Two.')] })
    await fixture.lead.send({ type: 'goal.conclude', goal_id, outcome: 'delivered', parts: [{ text: 'Both are there.' }] })
    expect(await now()).toMatchObject({ state: 'concluded', turn: null })
    await fixture.client.send({ type: 'goal.cancel', goal_id })
    expect(await now()).toMatchObject({ state: 'closed', turn: null })
  })
  it('reads the messages once, until there are more', async () => {
    const before = await now()
    const { ctx } = fixture.client
    const unread = async () => {
      throw new Error('messages were read')
    }
    const db = new Proxy(ctx.db, { get: (target, name) => (name === '$queryRaw' ? unread : Reflect.get(target, name)) })
    const readAgain = () => readRoomStatus({ ...ctx, db }, { goalId: fixture.goal.id, roomId: fixture.goal.roomId })
    expect(await readAgain()).toEqual(before)
    await fixture.client.send({ type: 'message.post', room_id: fixture.goal.roomId, parts: [{ text: 'One more word.' }] })
    await expect(readAgain()).rejects.toThrow('messages were read')
    expect(await now()).toEqual(before)
  })

  it('reads no more than so many bytes', async () => {
    const parts = Array(4).fill({ text: 'x'.repeat(62_000) })
    for (let n = 0; n < 50; n++) await fixture.client.send({ type: 'message.post', room_id: fixture.goal.roomId, parts })
    expect(await now()).toBeNull()
  })

  it('shows nothing before an agent leads, and nothing of another goal’s room', async () => {
    const other = await world.postFundedGoal(fixture.client, { text: 'Another goal.' })
    expect(await readRoomStatus(fixture.client.ctx, { goalId: other.id, roomId: other.roomId })).toBeNull()
    await expectProblem(readRoomStatus(fixture.client.ctx, { goalId: other.id, roomId: fixture.goal.roomId }), 'goal.not_found')
  })
})
