/** The connection pool of the job queue. */
import { Logger, runMigrations } from 'graphile-worker'
import pg from 'pg'

/**
 * Connections for the job queue, to be ended by whoever made them. A pool that the queue makes for itself has nobody left who
 * hears of errors while its connections are being closed: a server that stops at that moment would take the process with it.
 * `onLost` hears of connections that broke while nobody used them.
 */
export function openQueuePool(url: string, onLost: (error: Error) => void = ignore): pg.Pool {
  // The pool's own timeout also covers the wait for a free connection, and has no code that the queue retries: it would reject
  // unhandled and end the process. The system ends an attempt to connect with ETIMEDOUT, which the queue retries.
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on('error', onLost)
  // One that breaks in use tells its query.
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

/** Waits until nobody else makes the queue's tables; held until the connection ends. */
export const queueLockSql = `select pg_advisory_lock(hashtextextended('parley.prepare-queue', 0))`

/** Makes the queue's own tables, which verbs write into, where they are not there yet. Hubs that begin together do it one by one. */
export async function prepareQueue(url: string): Promise<void> {
  const pgPool = openQueuePool(url)
  const turn = await pgPool.connect()
  try {
    await turn.query(queueLockSql)
    await runMigrations({ pgPool, logger: new Logger(() => () => {}) })
  } finally {
    // Its end gives the turn to the next.
    turn.release(true)
    await pgPool.end()
  }
}

const ignore = (): void => undefined
