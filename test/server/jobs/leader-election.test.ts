import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '../../../server/db.ts'
import { schedule } from '../../../server/delivery/index.ts'
import { prepareJobs } from '../../../server/jobs/index.ts'
import { type LeaderElection, openLeaderElection } from '../../../server/jobs/leader-election.ts'
import { createWorld, type TestWorld } from '../../support/world.ts'

let world: TestWorld
const opened: LeaderElection[] = []
beforeAll(async () => {
  world = await createWorld({ hub: false, jobs: false })
  await prepareJobs(world.database.url)
})
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()))
  await world?.[Symbol.asyncDispose]()
})

function open(): LeaderElection {
  const duties = openLeaderElection(world.database.url, world.system.log)
  opened.push(duties)
  return duties
}
const breakOff = () => world.system.db.$queryRaw`
  select pg_terminate_backend(l."pid", 5000)::text from pg_locks l join pg_database d on d."oid" = l."database"
  where l."locktype" = 'advisory' and d."datname" = current_database()`

describe('a duty', () => {
  it('is with one process at a time, and with the next when that one ends', async () => {
    const [first, second, third] = [open(), open(), open()]
    expect(await first.isLeader('a')).toBe(true)
    expect([await second.isLeader('a'), await third.isLeader('a'), await first.isLeader('a')]).toEqual([false, false, true])
    expect(await second.isLeader('b')).toBe(true)
    expect(await first.isLeader('b')).toBe(false)
    await first.close()
    expect(await first.isLeader('a')).toBe(false)
    expect(await third.isLeader('a')).toBe(true)
    await second.close()
    await third.close()
  })

  it('is lost with the connection, and found again by the first process that asks', async () => {
    const [first, second] = [open(), open()]
    expect(await first.isLeader('c')).toBe(true)
    expect(await second.isLeader('c')).toBe(false)
    await breakOff()
    await world.until('the other to have it', async () => second.isLeader('c').catch(() => false))
    await world.until('the first to know', async () => (await first.isLeader('c').catch(() => true)) === false)
    await first.close()
    await second.close()
  })
})

describe('a job', () => {
  async function begun(key: string, worker: string): Promise<void> {
    await inTransaction(world.system, (tx) => schedule(tx, 'handle-event', { eventId: key }, { jobKey: key }))
    await world.system.db.$executeRaw`
      update graphile_worker._private_jobs set locked_by = ${worker}, locked_at = now() - interval '1 minute' where "key" = ${key}`
  }
  const workerOf = async (key: string) => {
    const rows = await world.system.db.$queryRaw<{ by: string | null }[]>`
      select locked_by as "by" from graphile_worker._private_jobs where "key" = ${key}`
    return rows[0]?.by
  }

  it('that a process has left behind is free again, and no one takes one from a worker that is answered for', async () => {
    const [mine, other] = [open(), open()]
    mine.registerWorker('worker-mine')
    other.registerWorker('worker-other')
    await Promise.all([mine.isLeader('x'), other.isLeader('y')])
    for (const worker of ['mine', 'other', 'gone']) await begun(worker, `worker-${worker}`)
    expect(await mine.releaseJobsOfDeadWorkers()).toBe(1)
    expect(await Promise.all(['mine', 'other', 'gone'].map(workerOf))).toEqual(['worker-mine', 'worker-other', null])
    await other.close()
    expect(await mine.releaseJobsOfDeadWorkers()).toBe(1)
    expect(await workerOf('other')).toBeNull()
    await mine.close()
  })

  it('is still answered for when the connection was lost and is back', async () => {
    const [mine, other] = [open(), open()]
    mine.registerWorker('worker-back')
    await mine.isLeader('z')
    await begun('back', 'worker-back')
    await breakOff()
    await world.until('it to be back', async () => {
      await mine.isLeader('z').catch(() => false)
      const [row] = await world.system.db.$queryRaw<{ locks: number }[]>`
        select count(*)::int as "locks" from pg_locks l join pg_database d on d."oid" = l."database"
        where l."locktype" = 'advisory' and d."datname" = current_database()`
      return (row?.locks ?? 0) >= 2
    })
    // What an earlier test has left behind is free by now.
    await other.releaseJobsOfDeadWorkers()
    expect(await workerOf('back')).toBe('worker-back')
    await mine.close()
    await other.close()
  })
})
