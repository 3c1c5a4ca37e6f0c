import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectPostgresNotify } from '../../../server/signals/postgres-notify.ts'
import { createDatabase } from '../../support/database.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'
import { wakeSuite } from './signals.suite.ts'

let world: TestWorld
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
})
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
})

wakeSuite(() => ({
  world,
  connect: () => connectPostgresNotify(world.database.url, world.system.log),
  async putRaw(text) {
    await world.system.db.$executeRaw`select pg_notify('parley_wake', ${text})`
  },
  async breakOff() {
    await world.system.db.$queryRaw`
      select pg_terminate_backend(pid)::text from pg_stat_activity
      where datname = current_database() and application_name = 'parley wake'`
  },
}))

it('says once that it was away', async () => {
  const signals = await connectPostgresNotify(world.database.url, world.system.log)
  const received: unknown[] = []
  signals.on((one) => received.push(one))
  for (const id of ['first', 'second']) {
    await world.system.db.$queryRaw`
      select pg_terminate_backend(pid)::text from pg_stat_activity
      where datname = current_database() and application_name = 'parley wake'`
    await world.until('the listener to be back', async () => received.includes('reconnected'))
    await world.system.ports.signals.write(world.system, [{ topic: 'goal', id }])
    await world.until(id, async () => received.some((one) => (one as { id?: string }).id === id))
    expect(received.filter((one) => one === 'reconnected')).toHaveLength(1)
    received.length = 0
  }
  await signals.close()
})

it('leaves the database alone while no one else listens, and sends a new listener what it has missed', async () => {
  await using database = await createDatabase()
  const loggedLines: string[] = []
  const bystander = new pg.Client({ connectionString: database.url })
  await bystander.connect()
  bystander.on('notification', ({ payload = '' }) => loggedLines.push((JSON.parse(payload) as { topic: string; id: string }).id))
  await bystander.query('listen parley_wake')
  const open = async () => {
    const signals = await connectPostgresNotify(database.url, world.system.log)
    const received: unknown[] = []
    signals.on((one) => received.push((one as { id?: string }).id))
    return { signals, received }
  }
  const first = await open()
  first.signals.publish([{ topic: 'room', id: 'alone', seq: 1 }])
  await world.until('its own', async () => first.received.includes('alone'))
  await bystander.query('select 1')
  expect(loggedLines).not.toContain('alone')
  // To connect may take longer than unreceived signals are kept.
  const publishing = setInterval(() => first.signals.publish([{ topic: 'room', id: 'alone', seq: 1 }]), 100)
  const second = await open()
  clearInterval(publishing)
  await world.until('what it missed', async () => second.received.includes('alone'))
  first.signals.publish([{ topic: 'room', id: 'together', seq: 2 }])
  await world.until('the signal', async () => second.received.includes('together'))
  await world.until('the notice to a bystander', async () => loggedLines.includes('together'))
  await Promise.all([first.signals.close(), second.signals.close(), bystander.end()])
})
