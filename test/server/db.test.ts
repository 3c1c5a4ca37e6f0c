import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../server/db.ts'
import { versionConflict } from '../../server/errors.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
})
afterAll(() => world[Symbol.asyncDispose]())

const lock = (ctx: TestWorld['system'], id: string) => ctx.db.$executeRaw`select 1 from "group" where "id" = ${id} for update`

describe('inTransaction', () => {
  it('runs one of two again that wait for each other', async () => {
    for (const id of ['inb_a', 'inb_b'])
      await world.system.db.group.create({ data: { id, kind: 'inbox', hash: '', createdAt: new Date() } })
    const both = Promise.withResolvers<void>()
    let arrived = 0
    let runs = 0
    const cross = (first: string, second: string) =>
      inTransaction(world.system, async (tx) => {
        runs++
        await lock(tx, first)
        if (++arrived === 2) both.resolve()
        await both.promise
        await lock(tx, second)
      })
    await Promise.all([cross('inb_a', 'inb_b'), cross('inb_b', 'inb_a')])
    expect(runs).toBe(3)
  })
  it('runs again what somebody else’s save was in the way of, and gives up in the end', async () => {
    let runs = 0
    const twice = inTransaction(world.system, async () => {
      if (++runs < 3) throw versionConflict('The row')
      return 'saved'
    })
    expect(await twice).toBe('saved')
    await expect(inTransaction(world.system, async () => Promise.reject(versionConflict('The row')))).rejects.toMatchObject({
      code: 'conflict.version',
    })
  })
  it('keeps nothing of a transaction that threw', async () => {
    const failing = inTransaction(world.system, async (tx) => {
      await tx.db.group.create({ data: { id: 'inb_c', kind: 'inbox', hash: '', createdAt: new Date() } })
      throw new RangeError('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await world.system.db.group.findUnique({ where: { id: 'inb_c' } })).toBeNull()
  })
})
