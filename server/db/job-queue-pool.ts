/** The connection pool of the job queue: a bulkhead, so that jobs and commands cannot take each other's connections. */
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'

/**
 * The connections of the job queue; the caller ends the pool. A pool that the queue creates itself has no error listener while it closes,
 * so a stopping database would end the process. `onLost`: called when an idle connection breaks.
 */
export function openJobQueuePool(url: string, onLost: (error: Error) => void = ignore): pg.Pool {
  // No timeout of the pool: it would also cover the wait for a free connection. The queue does not retry its error, so it would end the
  // process. The operating system ends a connection attempt with ETIMEDOUT, which the queue retries.
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on('error', onLost)
  // A connection that breaks in use rejects its query.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

/** An advisory lock: one process at a time creates the tables of the queue. The connection holds it. */
export const queueLockSql = `select pg_advisory_lock(hashtextextended('parley.prepare-queue', 0))`

/** Creates the tables of the job queue if they are missing. Commands write jobs into them. */
export async function prepareQueue(url: string): Promise<void> {
  const pgPool = openJobQueuePool(url)
  const turn = await pgPool.connect()
  try {
    await turn.query(queueLockSql)
    await runMigrations({ pgPool, logger: new Logger(() => () => {}) })
  } finally {
    // Closing the connection releases the lock.
    turn.release(true)
    await pgPool.end()
  }
}

const ignore = (): void => undefined
