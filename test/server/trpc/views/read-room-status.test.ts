import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRoomStatus } from '../../../../server/trpc/views/read-room-status.ts'
import { expectProblem } from '../../../support/expect-problem.ts'
import { newTaskId, type Stage, sealStage, setStage, textUpload } from '../../../support/stage.ts'
import { nest } from '../../../support/sub-team.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
let stage: Stage
beforeAll(async () => {
  world = await createWorld({ hub: false })
  stage = await setStage(world)
})
afterAll(() => world?.[Symbol.asyncDispose]())

const now = (roomId = stage.goal.roomId) => readRoomStatus(stage.client.ctx, { goalId: stage.goal.id, roomId })

describe('readRoomStatus', () => {
  it('follows the room through its states, as the table has them', async () => {
    const goal_id = stage.goal.id
    const [first, second] = [newTaskId(), newTaskId()]
    expect(await now()).toMatchObject({ state: 'open', lead: stage.lead.did, waitsFor: [] })
    const steps = stage.charter().steps.map((step) => ({ ...step, mode: 'sync' as const }))
    await sealStage({ ...stage, charter: () => stage.charter({ steps }) })
    await stage.lead.send({ type: 'task.assign', goal_id, task_id: first, step: 1 })
    expect(await now()).toMatchObject({ state: 'waiting', turn: null, waitsFor: [first] })
    const { room_id } = await nest(stage.first, first)
    expect(await now(room_id)).toMatchObject({ state: 'open', lead: stage.first.did, waitsFor: [] })
    await stage.first.send({ type: 'task.complete', task_id: first, artifacts: [textUpload('One.')] })
    expect(await now()).toMatchObject({ state: 'open', turn: { holder: stage.lead.did }, waitsFor: [] })
    expect(await now(room_id)).toMatchObject({ state: 'concluded' })
    await stage.lead.send({ type: 'task.assign', goal_id, task_id: second, step: 2 })
    await stage.second.send({ type: 'task.complete', task_id: second, artifacts: [textUpload('Two.')] })
    await stage.lead.send({ type: 'goal.conclude', goal_id, outcome: 'delivered', parts: [{ text: 'Both are there.' }] })
    expect(await now()).toMatchObject({ state: 'concluded', turn: null })
    await stage.client.send({ type: 'goal.cancel', goal_id })
    expect(await now()).toMatchObject({ state: 'closed', turn: null })
  })
  it('reads the messages once, until there are more', async () => {
    const before = await now()
    const { ctx } = stage.client
    const unread = async () => {
      throw new Error('messages were read')
    }
    const db = new Proxy(ctx.db, { get: (target, name) => (name === '$queryRaw' ? unread : Reflect.get(target, name)) })
    const readAgain = () => readRoomStatus({ ...ctx, db }, { goalId: stage.goal.id, roomId: stage.goal.roomId })
    expect(await readAgain()).toEqual(before)
    await stage.client.send({ type: 'message.post', room_id: stage.goal.roomId, parts: [{ text: 'One more word.' }] })
    await expect(readAgain()).rejects.toThrow('messages were read')
    expect(await now()).toEqual(before)
  })

  it('reads no more than so many bytes', async () => {
    const parts = Array(4).fill({ text: 'x'.repeat(62_000) })
    for (let n = 0; n < 50; n++) await stage.client.send({ type: 'message.post', room_id: stage.goal.roomId, parts })
    expect(await now()).toBeNull()
  })

  it('tells nothing before an agent leads, and nothing of another goal’s room', async () => {
    const other = await world.postFundedGoal(stage.client, { text: 'Another goal.' })
    expect(await readRoomStatus(stage.client.ctx, { goalId: other.id, roomId: other.roomId })).toBeNull()
    await expectProblem(readRoomStatus(stage.client.ctx, { goalId: other.id, roomId: stage.goal.roomId }), 'goal.not_found')
  })
})
