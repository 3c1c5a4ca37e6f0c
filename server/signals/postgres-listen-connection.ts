import pg from 'pg'
import type { Log } from '../log.ts'

const retryMs = 500
/** The maximum duration of a connection attempt and of a query. */
const answerMs = 5_000

/** A database connection that listens on one channel. It reconnects until it is closed. */
export type PostgresListenConnection = {
  open(): Promise<void>
  isOpen(): boolean
  /** @throws {Error} if the connection is lost */
  query(query: pg.QueryConfig): Promise<void>
  /** Sends a query whose failure means that the connection is lost. */
  probe(query: pg.QueryConfig): void
  close(): Promise<void>
}
export type ListenOptions = {
  readonly url: string
  readonly channel: string
  readonly log: Log
  onPayload(payload: string): void
  /** The connection listens; also called after each reconnect. */
  onOpen(): void
  onReconnected(): void
}

export function createPostgresListenConnection(options: ListenOptions): PostgresListenConnection {
  let client: pg.Client | null = null
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

  async function open(): Promise<void> {
    const next = createClient(options.url)
    const lost = (error?: Error) => {
      if (error) options.log.warn({ event: 'signal.connection_lost', err: error }, 'The LISTEN connection was lost.')
      next.removeAllListeners('end')
      if (client === next) client = null
      next.end().catch(() => undefined)
      reopenLater()
    }
    next.on('error', lost)
    next.on('end', () => lost())
    next.on('notification', (message) => options.onPayload(message.payload ?? ''))
    await next.connect()
    // A signal that is lost with the machine has no listener any more.
    await next.query('set synchronous_commit = off')
    await next.query(`listen ${options.channel}`)
    // Closed during the connection attempt: nothing else would end this client.
    if (isClosed) return next.end()
    client = next
    options.onOpen()
  }

  function reopenLater(): void {
    if (isClosed) return
    clearTimeout(retry)
    retry = setTimeout(() => open().then(options.onReconnected, reopenLater), retryMs)
  }

  return {
    open,
    isOpen: () => client !== null,
    async query(query) {
      if (!client) throw new Error('PostgreSQL is away')
      await client.query(query)
    },
    probe(query) {
      const asked = client
      asked?.query(query).catch((error: Error) => asked === client && !isClosed && asked.emit('error', error))
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      client?.removeAllListeners('end')
      await client?.end()
    },
  }
}

function createClient(url: string): pg.Client {
  return new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    application_name: 'parley wake',
  })
}
