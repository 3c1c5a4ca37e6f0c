import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { schedule } from '../../../server/delivery/index.ts'
import { prepareJobs } from '../../../server/jobs/index.ts'
import { type Duties, openDuties } from '../../../server/jobs/leader-election.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
const opened: Duties[] = []
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  await prepareJobs(world.database.url)
})
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
  await world?.[Symbol.asyncDispose]()
})

function open(): Duties {
  const duties = openDuties(world.database.url, world.system.log)
  opened.push(duties)
  return duties
}
const breakOff = () => world.system.db.$queryRaw`
  select pg_terminate_backend(l."pid", 5000)::text from pg_locks l join pg_database d on d."oid" = l."database"
  where l."locktype" = 'advisory' and d."datname" = current_database()`

describe('a duty', () => {
  it('is with one process at a time, and with the next when that one ends', async () => {
    const [first, second, third] = [open(), open(), open()]
    expect(await first.has('a')).toBe(true)
    expect([await second.has('a'), await third.has('a'), await first.has('a')]).toEqual([false, false, true])
    expect(await second.has('b')).toBe(true)
    expect(await first.has('b')).toBe(false)
    await first.close()
    expect(await first.has('a')).toBe(false)
    expect(await third.has('a')).toBe(true)
    await second.close()
    await third.close()
  })

  it('is lost with the connection, and found again by whoever asks first', async () => {
    const [first, second] = [open(), open()]
    expect(await first.has('c')).toBe(true)
    expect(await second.has('c')).toBe(false)
    await breakOff()
    await world.until('the other to have it', async () => second.has('c').catch(() => false))
    await world.until('the first to know', async () => (await first.has('c').catch(() => true)) === false)
    await first.close()
    await second.close()
  })
})

describe('a job', () => {
  async function begun(key: string, worker: string): Promise<void> {
    await inTransaction(world.system, (tx) => schedule(tx, 'react', { eventId: key }, { jobKey: key }))
    await world.system.db.$executeRaw`
      update graphile_worker._private_jobs set locked_by = ${worker}, locked_at = now() - interval '1 minute' where "key" = ${key}`
  }
  const workerOf = async (key: string) => {
    const rows = await world.system.db.$queryRaw<{ by: string | null }[]>`
      select locked_by as "by" from graphile_worker._private_jobs where "key" = ${key}`
    return rows[0]?.by
  }

  it('that a process has left behind is free again, and nobody takes one from a worker that is answered for', async () => {
    const [mine, other] = [open(), open()]
    mine.answerFor('worker-mine')
    other.answerFor('worker-other')
    await Promise.all([mine.has('x'), other.has('y')])
    for (const worker of ['mine', 'other', 'gone']) await begun(worker, `worker-${worker}`)
    expect(await mine.freeJobsOfDead()).toBe(1)
    expect(await Promise.all(['mine', 'other', 'gone'].map(workerOf))).toEqual(['worker-mine', 'worker-other', null])
    await other.close()
    expect(await mine.freeJobsOfDead()).toBe(1)
    expect(await workerOf('other')).toBeNull()
    await mine.close()
  })

  it('is still answered for when the connection was lost and is back', async () => {
    const [mine, other] = [open(), open()]
    mine.answerFor('worker-back')
    await mine.has('z')
    await begun('back', 'worker-back')
    await breakOff()
    await world.until('it to be back', async () => {
      await mine.has('z').catch(() => false)
      const [row] = await world.system.db.$queryRaw<{ locks: number }[]>`
        select count(*)::int as "locks" from pg_locks l join pg_database d on d."oid" = l."database"
        where l."locktype" = 'advisory' and d."datname" = current_database()`
      return (row?.locks ?? 0) >= 2
    })
    // What an earlier test has left behind is free by now.
    await other.freeJobsOfDead()
    expect(await workerOf('back')).toBe('worker-back')
    await mine.close()
    await other.close()
  })
})
