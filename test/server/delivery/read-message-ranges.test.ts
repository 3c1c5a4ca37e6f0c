import { afterAll, beforeAll, expect, it } from 'vitest'
import { dispatchCommand } from '../../../server/commands/index.ts'
import type { Context } from '../../../server/context.ts'
import { joinRoom, openRoom } from '../../../server/conversations/index.ts'
import { inTransaction } from '../../../server/db.ts'
import { readMessageRanges, readMessagesForDelivery } from '../../../server/delivery/index.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { makeMember } from '../conversations/room-member.ts'

let world: TestWorld
let roomIds: string[]
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  const { ctx, did } = await makeMember(world, 1)
  roomIds = []
  for (let room = 0; room < 3; room++) {
    const roomId = await inTransaction(world.system, (tx) => openRoom(tx, { goalId: `gol_${room}`, clientId: 'did:web:c' }))
    await joinRoom(world.system, { roomId, memberId: did, agentId: null, ownerId: null, role: 'member' })
    for (let count = 0; count < 4; count++)
      await dispatchCommand(ctx, { type: 'message.post', room_id: roomId, parts: [{ text: `${count}` }] })
    roomIds.push(roomId)
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const ofRoom = (room: number) => roomIds[room] as string

/** The same, with its statements counted. */
function counting(): { ctx: Context; statements: () => number } {
  let statements = 0
  const db = new Proxy(world.system.db, {
    get(one, name) {
      statements++
      const value = Reflect.get(one, name)
      return typeof value === 'function' ? value.bind(one) : value
    },
  })
  return { ctx: { ...world.system, db }, statements: () => statements }
}

it('reads parts of many groups by one statement, each as its readers are handed it, in the order of the asking', async () => {
  const { ctx, statements } = counting()
  const spans = [
    { roomId: ofRoom(2), after: 1, upTo: 4 },
    { roomId: ofRoom(0), after: 0, upTo: 2 },
    { roomId: ofRoom(2), after: 0, upTo: 1 },
  ]
  const read = await readMessageRanges(ctx, spans)
  expect(statements()).toBe(1)
  expect(read.map((messages) => messages.map((one) => one.seq))).toEqual([[2, 3, 4], [1, 2], [1]])
  for (const [index, { roomId, after, upTo }] of spans.entries())
    expect(read[index]).toEqual(await readMessagesForDelivery(world.system, { roomId, after, limit: upTo - after }))
})

it('hands out a placeholder for what is damaged or gone, and all else of that room and the others', async () => {
  await world.system.db.$transaction(async (tx) => {
    // No other row may change a message.
    await tx.$executeRaw`set local session_replication_role = replica`
    await tx.$executeRaw`update "message" set "body" = 'no envelope' where "roomId" = ${ofRoom(1)} and "seq" = 2`
    await tx.$executeRaw`delete from "message" where "roomId" = ${ofRoom(0)} and "seq" = 3`
  })
  const read = await readMessageRanges(
    world.system,
    [0, 1, 2].map((room) => ({ roomId: ofRoom(room), after: 0, upTo: 4 })),
  )
  expect(read.map((messages) => messages.map((one) => one.seq))).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ])
  const isPlaceholder = (body: string) => body.includes('"error"')
  expect(read.map((messages) => messages.filter((one) => isPlaceholder(one.body)).map((one) => one.seq))).toEqual([[3], [2], []])
})
