import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitCursor, getHead, listCursors, openGroup } from '../../../server/delivery/index.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
const groupId = `inb_${'1'.repeat(32)}`
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  await openGroup(world.system, { id: groupId, kind: 'inbox' })
  await world.system.db.group.update({ where: { id: groupId }, data: { head: 10 } })
})
afterAll(() => world[Symbol.asyncDispose]())

const acked = async () => (await listCursors(world.system, 'agt_1', [groupId]))[0]?.acked

describe('moveCursor', () => {
  it('starts at nothing, moves forward only, and never beyond the head', async () => {
    expect(await acked()).toBe(0)
    await commitCursor(world.system, { groupId, memberId: 'agt_1', acked: 7 })
    await commitCursor(world.system, { groupId, memberId: 'agt_1', acked: 3 })
    expect(await acked()).toBe(7)
    await commitCursor(world.system, { groupId, memberId: 'agt_1', acked: 99 })
    expect(await acked()).toBe(10)
  })
  it('moves nobody else’s', async () => {
    expect((await listCursors(world.system, 'agt_2', [groupId]))[0]?.acked).toBe(0)
  })
})

describe('getHead', () => {
  it('refuses a group that is not there', async () => {
    await expectProblem(getHead(world.system, 'inb_none'), 'group.not_found')
  })
})
