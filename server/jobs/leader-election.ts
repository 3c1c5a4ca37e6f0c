/** Leader election by PostgreSQL advisory locks: one process holds each duty. */
import pg from 'pg'
import type { Log } from '../log.ts'

/**
 * Two kinds of locks: for each duty, and for each live worker of the job queue. PostgreSQL releases them when the connection ends, so
 * nothing has to be renewed and a killed process is replaced at once.
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
const answerMs = 5_000
const lockText = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as "got"'
const unlockText = 'select pg_advisory_unlock(hashtextextended($1, 0))'
/** TCP keep-alive: a process on a lost machine, or one that hangs, loses its duties after 10 to 15 seconds. */
const options = '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c idle_session_timeout=15000'
const keepAliveMs = 4_000

/** `url`: the database itself. Behind a pooler, the locks would belong to arbitrary clients. */
export function openLeaderElection(url: string, log: Log): LeaderElection {
  const workers = new Set<string>()
  const held = new Set<string>()
  let connection: Promise<pg.Client> | null = null
  let askedAt = 0
  let isClosed = false

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      options,
    })
    const lost = (error?: Error) => {
      if (error) log.warn({ err: error }, 'lost the database connection that holds the leader locks')
      held.clear()
      connection = null
      client.end().catch(() => undefined)
    }
    client.on('error', lost)
    client.once('end', () => connection !== null && lost())
    try {
      await client.connect()
      for (const id of workers) await client.query(lockText, [`worker:${id}`])
      return client
    } catch (error) {
      connection = null
      client.end().catch(() => undefined)
      throw error
    }
  }
  /** The connection runs one query at a time. */
  let last: Promise<unknown> = Promise.resolve()
  function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    const answer = last.then(() => askNow<Row>(text, values))
    last = answer.catch(() => undefined)
    return answer
  }
  async function askNow<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    connection ??= connect()
    const client = await connection
    askedAt = performance.now()
    try {
      return (await client.query<Row>(text, values)).rows
    } catch (error) {
      // A connection that does not answer is closed, and its locks are lost.
      if (!(error instanceof pg.DatabaseError)) client.emit('error', error)
      throw error
    }
  }
  const take = async (name: string) => (await ask<{ got: boolean }>(lockText, [name])).some((row) => row.got)

  return {
    async isLeader(duty) {
      if (isClosed) return false
      if (held.has(duty) && performance.now() - askedAt > keepAliveMs) await ask('select 1', [])
      if (held.has(duty)) return true
      const got = await take(`duty:${duty}`)
      if (got) held.add(duty)
      return got
    },
    registerWorker(workerId) {
      if (workers.has(workerId)) return
      workers.add(workerId)
      take(`worker:${workerId}`).catch((error: unknown) =>
        log.debug({ err: error }, 'the lock of a worker was not taken; the next job retries it'),
      )
    },
    async releaseJobsOfDeadWorkers() {
      const rows = await ask<{ id: string }>(
        `select distinct "locked_by" as "id" from graphile_worker."_private_jobs"
         where "locked_by" is not null and "locked_at" < now() - make_interval(secs => $1)`,
        [minJobAgeSeconds],
      )
      const dead: string[] = []
      for (const { id } of rows) if (!workers.has(id) && (await take(`worker:${id}`))) dead.push(id)
      if (dead.length > 0) await ask('select graphile_worker.force_unlock_workers($1::text[])', [dead])
      for (const id of dead) await ask(unlockText, [`worker:${id}`])
      return dead.length
    },
    async close() {
      isClosed = true
      const client = await connection?.catch(() => null)
      connection = null
      await client?.end()
    },
  }
}
