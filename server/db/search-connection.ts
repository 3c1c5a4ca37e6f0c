import pg from 'pg'

/** The maximum duration of a connection attempt. */
const connectMs = 10_000
/** A load of all listings takes seconds. */
const statementMs = 120_000

/** One database connection of a search index. It reads listings, apart from the connections of commands. */
export type SearchConnection = {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The same for a statement that is sent often: the database prepares it once, under its name. */
  queryPrepared<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

/**
 * `onLost`: called once when the connection breaks. A new one must be opened.
 * @throws {Error} if the database cannot be reached
 */
export async function openSearchConnection(url: string, onLost: (error: Error) => void): Promise<SearchConnection> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    application_name: 'parley search',
  })
  let isOver = false
  const lost = (error: Error) => {
    if (isOver) return
    isOver = true
    onLost(error)
  }
  client.on('error', lost)
  client.on('end', () => lost(new Error('The database closed the connection.')))
  await client.connect()
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) => (await client.query(text, [...values])).rows as Row[],
    queryPrepared: async <Row>(name: string, text: string, values: readonly unknown[]) =>
      (await client.query({ name, text, values: [...values] })).rows as Row[],
    async close() {
      isOver = true
      await client.end().catch(() => undefined)
    },
  }
}
