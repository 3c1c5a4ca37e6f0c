import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitCursor, getHead, listCursors, openLog } from '../../../server/delivery/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
const roomId = `inb_${'1'.repeat(32)}`
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  await openLog(world.system, { id: roomId, kind: 'inbox' })
  await world.system.db.room.update({ where: { id: roomId }, data: { head: 10 } })
})
afterAll(() => world[Symbol.asyncDispose]())

const acked = async () => (await listCursors(world.system, 'agt_1', [roomId]))[0]?.acked

describe('moveCursor', () => {
  it('starts at nothing, moves forward only, and never beyond the head', async () => {
    expect(await acked()).toBe(0)
    await commitCursor(world.system, { roomId, memberId: 'agt_1', acked: 7 })
    await commitCursor(world.system, { roomId, memberId: 'agt_1', acked: 3 })
    expect(await acked()).toBe(7)
    await commitCursor(world.system, { roomId, memberId: 'agt_1', acked: 99 })
    expect(await acked()).toBe(10)
  })
  it('moves no one else’s', async () => {
    expect((await listCursors(world.system, 'agt_2', [roomId]))[0]?.acked).toBe(0)
  })
})

describe('getHead', () => {
  it('refuses a room that is not there', async () => {
    await expectProblem(getHead(world.system, 'inb_none'), 'room.not_found')
  })
})
