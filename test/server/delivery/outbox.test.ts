import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { enqueue, findUnhandledOutboxEvent, markEventHandled } from '../../../server/delivery/index.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const event = { type: 'goal.posted', goal_id: `gol_${'1'.repeat(32)}` } as const
const jobs = async () => (await world.system.db.$queryRaw<{ n: bigint }[]>`select count(*) as n from graphile_worker.jobs`)[0]?.n

describe('enqueue', () => {
  it('leaves neither event nor job behind when the transaction fails', async () => {
    await inTransaction(world.system, async (tx) => {
      await enqueue(tx, event)
      throw new RangeError('rolled back')
    }).catch(() => null)
    expect(await world.system.db.outboxEvent.count()).toBe(0)
    expect(await jobs()).toBe(0n)
  })
  it('refuses what is no event', async () => {
    await expect(enqueue(world.system, { type: 'goal.exploded' } as never)).rejects.toThrow()
  })
  it('is taken until it is settled', async () => {
    await inTransaction(world.system, (tx) => enqueue(tx, event))
    expect(await jobs()).toBe(1n)
    const { id } = await world.system.db.outboxEvent.findFirstOrThrow()
    expect(await findUnhandledOutboxEvent(world.system, id)).toEqual(event)
    await markEventHandled(world.system, id)
    expect(await findUnhandledOutboxEvent(world.system, id)).toBeNull()
  })
})
