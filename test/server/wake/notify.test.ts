import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectNotify } from '../../../server/wake/notify.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { wakeSuite } from './wake.suite.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
})

wakeSuite(() => ({
  world,
  connect: () => connectNotify(world.database.url, world.system.log),
  async putRaw(text) {
    await world.system.db.$executeRaw`select pg_notify('parley_wake', ${text})`
  },
  async breakOff() {
    await world.system.db.$queryRaw`
      select pg_terminate_backend(pid)::text from pg_stat_activity
      where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`
  },
}))

it('says once that it was away', async () => {
  const wakes = await connectNotify(world.database.url, world.system.log)
  const heard: unknown[] = []
  wakes.on((one) => heard.push(one))
  for (const id of ['first', 'second']) {
    await world.system.db.$queryRaw`
      select pg_terminate_backend(pid)::text from pg_stat_activity
      where datname = current_database() and query ilike 'listen%' and pid <> pg_backend_pid()`
    await world.until('the listener to be back', async () => heard.includes('reconnected'))
    await world.system.ports.wakes.write(world.system, [{ topic: 'goal', id }])
    await world.until(id, async () => heard.some((one) => (one as { id?: string }).id === id))
    expect(heard.filter((one) => one === 'reconnected')).toHaveLength(1)
    heard.length = 0
  }
  await wakes.close()
})
