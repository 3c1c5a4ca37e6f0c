import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../../../server/context.ts'
import type { Writer } from '../../../../server/db.ts'
import { listCursors, openLog } from '../../../../server/delivery/index.ts'
import { createAckWriter } from '../../../../server/hub/connection/ack-writer.ts'
import { createWorld, type TestWorld } from '../../../support/world.ts'

let world: TestWorld
const rooms = ['inb_1', 'inb_2']
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  for (const id of rooms) {
    await openLog(world.system, { id, kind: 'inbox' })
    await world.system.db.room.update({ where: { id }, data: { head: 10 } })
  }
})
afterAll(() => world[Symbol.asyncDispose]())

const acked = async (memberId: string) =>
  (await listCursors(world.system, memberId, rooms)).sort((a, b) => a.roomId.localeCompare(b.roomId)).map((one) => one.acked)

/** The world's writer, which fails this many times first, and counts what goes through. */
function over(failures: number): { ctx: Context; writes: () => number } {
  let [left, writes] = [failures, 0]
  const { writer } = world.system.ports
  const counting: Writer = {
    ...writer,
    async send(steps) {
      if (left-- > 0) throw new RangeError('the database is away')
      writes++
      return writer.send(steps)
    },
  }
  return { ctx: { ...world.system, ports: { ...world.system.ports, writer: counting } }, writes: () => writes }
}

describe('acks', () => {
  it('of many go in few writes, move forward only, and never beyond the head', async () => {
    const { ctx, writes } = over(0)
    const acks = createAckWriter(ctx)
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        acks.noteAck({ roomId: rooms[index % 2] ?? '', memberId: 'm1', acked: index % 2 ? 99 : (index % 7) + 1 }),
      ),
    )
    expect(await acked('m1')).toEqual([7, 10])
    expect(writes()).toBeLessThanOrEqual(2)
    await acks.noteAck({ roomId: 'inb_1', memberId: 'm1', acked: 3 })
    expect(await acked('m1')).toEqual([7, 10])
    await acks.noteAck({ roomId: 'inb_none', memberId: 'm1', acked: 3 })
  })

  it('wait for a database that is away, and are not lost', async () => {
    const { ctx } = over(1)
    const acks = createAckWriter(ctx)
    const first = acks.noteAck({ roomId: 'inb_1', memberId: 'm2', acked: 2 })
    await Promise.all([
      first,
      acks.noteAck({ roomId: 'inb_1', memberId: 'm2', acked: 5 }),
      acks.noteAck({ roomId: 'inb_2', memberId: 'm2', acked: 1 }),
    ])
    expect(await acked('m2')).toEqual([5, 1])
  })

  it('hold up no one who closes', async () => {
    const { ctx, writes } = over(100)
    const acks = createAckWriter(ctx)
    acks.close()
    await acks.noteAck({ roomId: 'inb_1', memberId: 'm3', acked: 2 })
    expect(writes()).toBe(0)
    expect(await acked('m3')).toEqual([0, 0])
  })
})
