import pg from 'pg'
import type { Log } from '../log.ts'

const answerMs = 5_000
/** TCP keep-alive: a process on a lost machine, or one that hangs, loses its duties after 10 to 15 seconds. */
const options = '-c tcp_keepalives_idle=4 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 -c idle_session_timeout=15000'

/** The database connection that holds a process's advisory locks. A lost connection is replaced with the next query. */
export type AdvisoryLockConnection = {
  /** Runs queries in sequence. */
  ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]>
  /** The time since the last query. Milliseconds. */
  idleMs(): number
  close(): Promise<void>
}
export type AdvisoryLockConnectionOptions = {
  readonly url: string
  readonly log: Log
  /** Runs before the first query of each connection. */
  onConnect(client: pg.Client): Promise<void>
  /** PostgreSQL has released all locks of the connection. */
  onLost(): void
}

export function createAdvisoryLockConnection({ url, log, onConnect, onLost }: AdvisoryLockConnectionOptions): AdvisoryLockConnection {
  let connection: Promise<pg.Client> | null = null
  let requestedAt = 0
  let last: Promise<unknown> = Promise.resolve()

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      options,
    })
    const lost = (error?: Error) => {
      if (error) log.warn({ event: 'leader.connection_lost', err: error }, 'The database connection with the leader locks was lost.')
      onLost()
      connection = null
      client.end().catch(() => undefined)
    }
    client.on('error', lost)
    client.once('end', () => connection !== null && lost())
    try {
      await client.connect()
      await onConnect(client)
      return client
    } catch (error) {
      connection = null
      client.end().catch(() => undefined)
      throw error
    }
  }

  async function askNow<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    connection ??= connect()
    const client = await connection
    requestedAt = performance.now()
    try {
      return (await client.query<Row>(text, values)).rows
    } catch (error) {
      // A connection that does not answer is closed, and its locks are lost.
      if (!(error instanceof pg.DatabaseError)) client.emit('error', error)
      throw error
    }
  }

  return {
    ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]) {
      const answer = last.then(() => askNow<Row>(text, values))
      last = answer.catch(() => undefined)
      return answer
    },
    idleMs: () => performance.now() - requestedAt,
    async close() {
      const client = await connection?.catch(() => null)
      connection = null
      await client?.end()
    },
  }
}
