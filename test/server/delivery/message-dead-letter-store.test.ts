import { type DeliveredEnvelope, isDeadLetterPlaceholder } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRoom, readMessages } from '../../../server/conversations/index.ts'
import { type Database, inTransaction } from '../../../server/db.ts'
import { listMessageDeadLetters, readMessageRanges, readPageForDelivery } from '../../../server/delivery/index.ts'
import { createWorld, type TestPerson, type TestWorld } from '../../support/world.ts'
import { fillInbox } from '../hub/bare-agent.ts'

let world: TestWorld
let client: TestPerson
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false, env: { LOG_LEVEL: 'silent' } })
  client = await world.person({ usdc: 0n })
})
afterAll(() => world?.[Symbol.asyncDispose]())

const open = async (messages: number, text?: string): Promise<string> => {
  const room = await inTransaction(world.system, (tx) => openRoom(tx, { goalId: 'gol_kept', clientId: client.did }))
  await fillInbox(world, room, messages, text === undefined ? {} : { text })
  return room
}
/** What a superuser of the database can do. */
const byHand = (change: (db: Database) => Promise<unknown>) =>
  inTransaction(world.system, async (tx) => {
    await tx.db.$executeRawUnsafe('set local session_replication_role = replica')
    await change(tx.db)
  })
const held = (messages: readonly DeliveredEnvelope[]) =>
  messages.filter((one) => isDeadLetterPlaceholder(one, world.world.market.serverDid)).map(({ seq }) => seq)
const read = (room: string) => readMessages(client.ctx, { roomId: room, after: 0, limit: 50 })

describe('what the database has lost or changed', () => {
  it('is not delivered: a text that was changed leaves a placeholder, and operators are notified', async () => {
    const room = await open(4, 'Nine dollars.')
    await byHand(
      (db) => db.$executeRaw`update "message" set "body" = replace("body", 'Nine', 'Ten!') where "roomId" = ${room} and "seq" = 3`,
    )
    const messages = await read(room)
    expect(messages.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(held(messages)).toEqual([3])
    expect(await listMessageDeadLetters(world.system)).toContainEqual(
      expect.objectContaining({ roomId: room, seq: 3, reason: expect.stringContaining('hash') }),
    )
    const [span = []] = await readMessageRanges(world.system, [{ roomId: room, after: 0, upTo: 4 }])
    expect(held(span.map(({ body }) => JSON.parse(body) as DeliveredEnvelope))).toEqual([3])
  })

  it('is reported at the end of a room too: the last messages that are gone', async () => {
    const room = await open(5)
    await byHand((db) => db.message.deleteMany({ where: { roomId: room, seq: { gt: 3 } } }))
    expect(held(await read(room))).toEqual([4, 5])
    const [span = []] = await readMessageRanges(world.system, [{ roomId: room, after: 3, upTo: 5 }])
    expect(span.map(({ seq }) => seq)).toEqual([4, 5])
    expect((await listMessageDeadLetters(world.system)).filter((one) => one.roomId === room).length).toBe(2)
  })
})

describe('the ends of a page', () => {
  const faultsFrom = async (room: string, after: number, upTo: number) => {
    const page = await readPageForDelivery(world.system, { roomId: room, after, limit: 50 })
    const [span = []] = await readMessageRanges(world.system, [{ roomId: room, after, upTo }])
    return [page.messages, span].map((some) => held(some.map(({ body }) => JSON.parse(body) as DeliveredEnvelope)))
  }

  it('hold its first message against the one before it, which another page has', async () => {
    const room = await open(4)
    expect(await faultsFrom(room, 2, 4)).toEqual([[], []])
    await byHand((db) => db.message.updateMany({ where: { roomId: room, seq: 2 }, data: { hash: 'ab'.repeat(32) } }))
    expect(await faultsFrom(room, 2, 4)).toEqual([[3], [3]])
    const other = await open(2)
    await byHand((db) => db.message.updateMany({ where: { roomId: other, seq: 1 }, data: { hash: 'ab'.repeat(32) } }))
    expect((await faultsFrom(other, 0, 2))[0]).toEqual([1, 2])
  })

  it('hold its last message against the log, so that a lowered head hides nothing', async () => {
    const room = await open(5)
    await byHand(async (db) => {
      await db.message.deleteMany({ where: { roomId: room, seq: { gt: 3 } } })
      await db.room.update({ where: { id: room }, data: { head: 3 } })
    })
    expect(await faultsFrom(room, 0, 3)).toEqual([[3], [3]])
    expect(await listMessageDeadLetters(world.system)).toContainEqual(
      expect.objectContaining({ roomId: room, seq: 3, reason: expect.stringContaining('are gone') }),
    )
  })
})

describe('a page of a room', () => {
  it('ends by its bytes, reports whether more follows, and nothing is taken for missing', async () => {
    const room = await open(6, 'x'.repeat(10_000))
    const seen: number[] = []
    for (let after = 0; ; ) {
      const page = await readPageForDelivery(client.ctx, { roomId: room, after, limit: 50, maxBytes: 25_000 })
      expect(page.messages.length).toBeLessThanOrEqual(3)
      seen.push(...page.messages.map(({ seq }) => seq))
      after = seen.at(-1) ?? 0
      if (after >= page.head) break
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6])
    expect((await listMessageDeadLetters(world.system)).filter((one) => one.roomId === room)).toEqual([])
  })

  it('is not asked for beyond the end', async () => {
    const room = await open(2)
    expect(await readMessages(client.ctx, { roomId: room, after: 2, limit: 50 })).toEqual([])
    await expect(readMessages(client.ctx, { roomId: room, after: 3, limit: 50 })).rejects.toMatchObject({ code: 'cursor.beyond_head' })
  })
})
