/** Leader election by PostgreSQL advisory locks: one process holds each duty. One database holds all locks, so no split brain can occur. */
import type { Log } from '../log.ts'
import { createAdvisoryLockConnection } from './advisory-lock-connection.ts'

/**
 * Two kinds of locks: for each duty, and for each live worker of the job queue. PostgreSQL releases them when the connection ends, so
 * nothing has to be renewed. So failover is immediate: another process takes the duties of a killed one.
 */
export type LeaderElection = {
  /** Whether this process is the leader for the duty. Takes a free duty. */
  isLeader(duty: string): Promise<boolean>
  /** Holds the lock of a worker of the job queue, as a sign that it lives. */
  registerWorker(workerId: string): void
  /** Releases the jobs of workers without a lock. Returns the number of these workers. */
  releaseJobsOfDeadWorkers(): Promise<number>
  close(): Promise<void>
}

/** The minimum age of a checked job. By then its worker holds its lock. */
const minJobAgeSeconds = 5
const lockText = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as "got"'
const unlockText = 'select pg_advisory_unlock(hashtextextended($1, 0))'
/** Below the idle time after which PostgreSQL ends the connection. */
const keepAliveMs = 4_000

/** `url`: the database itself. Behind a pooler, the locks would belong to arbitrary clients. */
export function openLeaderElection(url: string, log: Log): LeaderElection {
  const workers = new Set<string>()
  const held = new Set<string>()
  let isClosed = false
  const connection = createAdvisoryLockConnection({
    url,
    log,
    async onConnect(client) {
      for (const id of workers) await client.query(lockText, [`worker:${id}`])
    },
    onLost: () => held.clear(),
  })
  const take = async (name: string) => (await connection.ask<{ got: boolean }>(lockText, [name])).some((row) => row.got)

  return {
    async isLeader(duty) {
      if (isClosed) return false
      if (held.has(duty) && connection.idleMs() > keepAliveMs) await connection.ask('select 1', [])
      if (held.has(duty)) return true
      const got = await take(`duty:${duty}`)
      if (got) held.add(duty)
      return got
    },
    registerWorker(workerId) {
      if (workers.has(workerId)) return
      workers.add(workerId)
      take(`worker:${workerId}`).catch((error: unknown) =>
        log.debug({ event: 'leader.lock_failed', err: error }, 'The lock of a worker was not acquired.'),
      )
    },
    async releaseJobsOfDeadWorkers() {
      const rows = await connection.ask<{ id: string }>(
        `select distinct "locked_by" as "id" from graphile_worker."_private_jobs"
         where "locked_by" is not null and "locked_at" < now() - make_interval(secs => $1)`,
        [minJobAgeSeconds],
      )
      const dead: string[] = []
      for (const { id } of rows) if (!workers.has(id) && (await take(`worker:${id}`))) dead.push(id)
      if (dead.length > 0) await connection.ask('select graphile_worker.force_unlock_workers($1::text[])', [dead])
      for (const id of dead) await connection.ask(unlockText, [`worker:${id}`])
      return dead.length
    },
    async close() {
      isClosed = true
      await connection.close()
    },
  }
}
