import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../server/db.ts'
import { listenForWakes, type Wake, type WakeListener, wake } from '../../server/wake.ts'
import { createWorld, type TestWorld } from '../support/world.ts'

let world: TestWorld
let listener: WakeListener
const heard: (Wake | 'reconnected')[] = []
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  listener = await listenForWakes(world.database.url, world.system.log)
  listener.on((signal) => heard.push(signal))
})
afterAll(async () => {
  await listener?.close()
  await world?.[Symbol.asyncDispose]()
})

const signal = (id: string): Wake => ({ topic: 'goal', id })
const hears = (id: string) => world.until(`the signal ${id}`, async () => heard.some((one) => one !== 'reconnected' && one.id === id))

describe('wake', () => {
  it('is heard by other processes once the transaction commits, and not before', async () => {
    const told = Promise.withResolvers<void>()
    const commit = Promise.withResolvers<void>()
    const writing = inTransaction(world.system, async (tx) => {
      await wake(tx, signal('held'))
      told.resolve()
      await commit.promise
    })
    await told.promise
    await wake(world.system, signal('other'))
    await hears('other')
    expect(heard).not.toContainEqual(signal('held'))
    commit.resolve()
    await writing
    await hears('held')
    expect(heard).toContainEqual(signal('held'))
  })

  it('passes over what is no signal, and goes on hearing', async () => {
    for (const payload of ['{', '', 'null', '{"topic":1}']) await world.system.db.$executeRaw`select pg_notify('parley_wake', ${payload})`
    await wake(world.system, signal('afterwards'))
    await hears('afterwards')
    expect(heard.every((one) => one === 'reconnected' || typeof one.topic === 'string')).toBe(true)
  })

  it('is not heard where the transaction fails', async () => {
    const failing = inTransaction(world.system, async (tx) => {
      await wake(tx, signal('lost'))
      throw new RangeError('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await wake(world.system, signal('after'))
    await hears('after')
    expect(heard).not.toContainEqual(signal('lost'))
  })
})

describe('listenForWakes', () => {
  it('says that it was away, and hears again', async () => {
    heard.length = 0
    await world.system.db.$queryRaw`
      select pg_terminate_backend(pid)::text from pg_stat_activity
      where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`
    await world.until('the listener to be back', async () => heard.includes('reconnected'))
    await wake(world.system, signal('again'))
    await hears('again')
    expect(heard.filter((one) => one === 'reconnected')).toHaveLength(1)
  })

  it('tells nobody who has turned away, and nothing after it is closed', async () => {
    const own: unknown[] = []
    const off = listener.on((one) => own.push(one))
    off()
    await wake(world.system, signal('unheard'))
    await hears('unheard')
    expect(own).toEqual([])
    await listener.close()
    const before = heard.length
    await wake(world.system, signal('too late'))
    const other = await listenForWakes(world.database.url, world.system.log)
    const late = Promise.withResolvers<void>()
    other.on(() => late.resolve())
    await wake(world.system, signal('for another'))
    await late.promise
    await other.close()
    expect(heard).toHaveLength(before)
  })
})
