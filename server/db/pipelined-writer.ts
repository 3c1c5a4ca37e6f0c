import pg from 'pg'
import { DomainError, serverUnavailable } from '../errors.ts'

/** Shorter than for commands: a stalled message write blocks all later ones. */
const idleTimeoutMs = 2_500

/** Forces index scans. A cached plan from a time when the table was small would scan all of it. */
const indexOnlyOptions = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off'

/** Runs statements in one transaction. */
export type Statements = {
  query<Row>(name: string, text: string, values: readonly unknown[]): Promise<Row[]>
}
/**
 * One connection inside a transaction. The first call also sends `begin`. Statements are prepared once per connection, under their name.
 */
export type TransactionConnection = Statements & {
  /** Sends the statements as one pipeline and returns the rows of each. */
  pipeline(steps: readonly PipelinedStatement[]): Promise<Row[][]>
  /** As `pipeline`, and commits. No call may follow. */
  pipelineAndCommit(steps: readonly PipelinedStatement[]): Promise<void>
}
type Row = Readonly<Record<string, unknown>>
/** A prepared statement with its values, or a COPY with rows in PostgreSQL's binary format. */
export type PipelinedStatement = { readonly name: string; readonly text: string } & (
  | { readonly values: readonly string[] }
  | { readonly rows: Buffer }
)
/** An extra condition of a statement: SQL whose parameters are numbered from `from`. */
export type Condition = { readonly name: string; readonly text: (from: number) => string; readonly values: readonly string[] }
/** Writes many rows in one round trip, without the Prisma client. Used for batches of messages. */
export type Writer = {
  /** @throws server.unavailable if the database cannot be reached, or if the outcome of the commit is unknown */
  transact<T>(work: (lane: TransactionConnection) => Promise<T>): Promise<T>
  /**
   * Sends the statements as one transaction and discards their rows. If one fails, nothing is written.
   * @throws server.unavailable as above
   */
  send(steps: readonly PipelinedStatement[]): Promise<void>
  /** Whether a caller may poll for the answer to a short write instead of sleeping. */
  readonly busyPolling: boolean
  close(): Promise<void>
}

/** A list as PostgreSQL parses an array from text. */
export function arrayText(items: readonly string[]): string {
  if (items.length === 0) return '{}'
  return items.some((item) => special.test(item))
    ? `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
    : `{"${items.join('","')}"}`
}

const special = /["\\]/

/** `onLost`: called when an idle connection breaks. */
export function connectPipelinedWriter(
  url: string,
  onLost: (error: Error) => void,
  { max = 8, busyPolling = true }: { max?: number; busyPolling?: boolean } = {},
): Writer {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    lock_timeout: 20_000,
    idle_in_transaction_session_timeout: idleTimeoutMs,
    options: indexOnlyOptions,
  })
  pool.on('error', onLost)
  return {
    async transact(work) {
      let client: pg.PoolClient | undefined
      try {
        client = await pool.connect()
        client.on('error', ignore)
        const { lane, finish } = transactionOn(client)
        const result = await work(lane)
        await finish()
        client.off('error', ignore)
        client.release()
        return result
      } catch (error) {
        await rollBack(client, error)
        throw isConnectionLost(error) ? serverUnavailable(error) : error
      }
    },
    async send(steps) {
      let client: pg.PoolClient | undefined
      try {
        client = await pool.connect()
        client.on('error', ignore)
        await sendPipelined(client, steps)
        client.off('error', ignore)
        client.release()
      } catch (error) {
        client?.off('error', ignore)
        client?.release(isConnectionLost(error))
        throw isConnectionLost(error) ? serverUnavailable(error) : error
      }
    },
    busyPolling,
    close: () => pool.end(),
  }
}

// A connection that breaks in use rejects its query. The event is for idle connections.
const ignore = () => undefined

/** Rolls back. If that fails, closes the connection. */
async function rollBack(client: pg.PoolClient | undefined, cause: unknown): Promise<void> {
  if (!client) return
  const isUsable =
    !isConnectionLost(cause) &&
    (await client.query('rollback').then(
      () => true,
      () => false,
    ))
  client.off('error', ignore)
  client.release(!isUsable)
}

/**
 * Whether a retry may succeed. SQLSTATE classes: connection lost (08), server stopping, starting, full or out of disk (57, 53, 58),
 * read-only standby (25006), conflict (40, 55P03), idle for too long (25P03).
 */
function isConnectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|25006|25P03|40|53|55P03|57|58)/.test(error.code ?? '')
  return (
    error instanceof Error &&
    ('code' in error || /connect|terminat|timeout|not queryable/i.test(error.message)) &&
    !(error instanceof DomainError)
  )
}

/** The check of `expect` failed: the cached state is stale. Read it again and retry. */
export function isStaleExpectation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === 'P0412'
}

const begin: PipelinedStatement = { name: 'begin', text: 'begin', values: [] }
const commit: PipelinedStatement = { name: 'commit', text: 'commit', values: [] }

/** `finish` commits, unless the transaction has ended or never begun. */
function transactionOn(client: pg.PoolClient): { lane: TransactionConnection; finish(): Promise<unknown> } {
  let state: 'new' | 'open' | 'ended' = 'new'
  const opened = (steps: readonly PipelinedStatement[]) => {
    if (state === 'ended') throw new Error('a transaction that has ended takes nothing more')
    const all = state === 'new' ? [begin, ...steps] : steps
    state = 'open'
    return all
  }
  const lane: TransactionConnection = {
    async query<Row>(name: string, text: string, values: readonly unknown[]) {
      const first = opened([])
      if (first.length > 0) await sendPipelined(client, first)
      const { rows } = await client.query({ name, text, values: [...values] })
      return rows as Row[]
    },
    async pipeline(steps) {
      const all = opened(steps)
      return (await sendPipelined(client, all, true)).slice(all.length - steps.length)
    },
    async pipelineAndCommit(steps) {
      const all = opened(steps)
      state = 'ended'
      await sendPipelined(client, [...all, commit])
    },
  }
  return { lane, finish: async () => state === 'open' && sendPipelined(client, [commit]) }
}

/** The protocol methods of pg's connection, which its types omit. */
type PgConnection = {
  readonly stream: { cork(): void; write(bytes: Buffer): boolean; uncork(): void }
  close(message: { type: 'S'; name: string }): void
  parse(statement: { name: string; text: string }): void
  bind(values: { statement: string; values: readonly string[] }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(portal: object): void
  sync(): void
  endCopyFrom(): void
}
/** The callbacks of pg's client. */
type QueryHandlers = { readonly [handle: string]: (message: never) => void; submit(wire: PgConnection): void }

function submit(client: pg.PoolClient, handlers: QueryHandlers): void {
  client.query(handlers as unknown as pg.Submittable)
}

/** Sends CopyData without copying the rows. */
function sendRows(wire: PgConnection, rows: Buffer): void {
  const head = Buffer.allocUnsafe(5)
  head[0] = 0x64
  head.writeInt32BE(4 + rows.length, 1)
  wire.stream.write(head)
  wire.stream.write(rows)
}

/** The names of the statements that each connection has prepared. */
const preparedOn = new WeakMap<pg.PoolClient, Set<string>>()

/** The server runs everything before `sync` as one transaction, unless one is open. `wantsRows`: return the rows of each statement. */
function sendPipelined(client: pg.PoolClient, steps: readonly PipelinedStatement[], wantsRows = false): Promise<Row[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<Row[][]>()
  const prepared = preparedOn.get(client) ?? new Set()
  preparedOn.set(client, prepared)
  const found: Row[][] = steps.map(() => [])
  let [at, fields]: [number, readonly Field[]] = [0, []]
  submit(client, {
    submit(wire) {
      wire.stream.cork()
      for (const step of steps) {
        const { name, text } = step
        if (!prepared.has(name)) {
          // An earlier transaction may have prepared it and then failed.
          wire.close({ type: 'S', name })
          wire.parse({ name, text })
        }
        wire.bind({ statement: name, values: 'values' in step ? step.values : [] })
        if (wantsRows && 'values' in step) wire.describe({ type: 'P', name: '' })
        wire.execute({})
        if ('values' in step) continue
        sendRows(wire, step.rows)
        wire.endCopyFrom()
      }
      wire.sync()
      wire.stream.uncork()
    },
    handleRowDescription(described: { fields: readonly Field[] }) {
      fields = described.fields
    },
    handleDataRow(row: { fields: readonly (string | null)[] }) {
      if (wantsRows) found[at]?.push(Object.fromEntries(fields.map((field, index) => [field.name, read(field, row.fields[index] ?? null)])))
    },
    handleCopyInResponse: ignore,
    handleCommandComplete() {
      at++
    },
    handleError: reject,
    handleReadyForQuery() {
      for (const { name } of steps) prepared.add(name)
      resolve(found)
    },
  })
  return promise
}

type Field = { readonly name: string; readonly dataTypeID: number }
const read = ({ dataTypeID }: Field, text: string | null) => (text === null ? null : pg.types.getTypeParser(dataTypeID, 'text')(text))
