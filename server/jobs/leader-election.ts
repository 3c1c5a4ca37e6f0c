/** Leader election for duties, by PostgreSQL advisory locks: one process holds each duty. */
import pg from 'pg'
import type { Log } from '../log.ts'

/**
 * What one process of all does, and which processes' workers live: both by locks that the database holds for a connection
 * and gives back when it ends. Nothing has to be renewed, and a process that is killed is replaced at once.
 */
export type LeaderElection = {
  /** Whether this process has the duty; it takes one that nobody has. */
  isLeader(duty: string): Promise<boolean>
  /** From now on this process answers for a worker of the job queue. */
  registerWorker(workerId: string): void
  /** Gives back the jobs of workers for which nobody answers any more; how many workers these were. */
  releaseJobsOfDeadWorkers(): Promise<number>
  close(): Promise<void>
}

/** A job is looked at when it has been running so long: by then its worker is answered for. */
const minJobAgeSeconds = 5
const answerMs = 5_000
const lockText = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as "got"'
const unlockText = 'select pg_advisory_unlock(hashtextextended($1, 0))'
/** One whose machine is gone without a word, or that hangs, loses its duties after ten to fifteen seconds. */
const options = '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c idle_session_timeout=15000'
const keepAliveMs = 4_000

/** `url`: the database itself, not a pooler, which would give the locks to anybody. */
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
      if (error) log.warn({ err: error }, 'lost the connection that holds the duties')
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
  /** The connection takes one question at a time. */
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
      // One that doesn't answer is given up, and with it what it held.
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
      take(`worker:${workerId}`).catch((error: unknown) => log.debug({ err: error }, 'a worker is answered for later'))
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
