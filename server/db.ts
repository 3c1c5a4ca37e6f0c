import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../prisma/client/client.ts'
import type { Statements } from './db/pipelined-writer.ts'
import { createPreparedStatementNames } from './db/prepared-statement-names.ts'
import { runQueriesInOrder } from './db/run-queries-in-order.ts'
import { DomainError, isDatabaseAway, serverUnavailable } from './errors.ts'
import type { Log } from './log.ts'

export {
  arrayText,
  type Condition,
  connectPipelinedWriter,
  isStaleExpectation,
  type PipelinedStatement,
  type Statements,
  type TransactionConnection,
  type Writer,
} from './db/pipelined-writer.ts'
export { Prisma }
/** The client, or the transaction's client inside `inTransaction`. */
export type Database = Prisma.TransactionClient
export type Client = PrismaClient
/** What these functions need of a `Context`, so that this file need not import it. */
type WithDatabase = { readonly db: Database }

/** The maximum idle time of a transaction. After it PostgreSQL ends the transaction of a stopped or lost process and frees its locks. */
const transactionIdleMs = 10_000
/** The maximum wait for a new or free connection. */
const connectMs = 10_000
/** The maximum duration of one statement, including lock waits. After it PostgreSQL cancels the statement. */
const statementMs = 60_000

/** Creates the only database client of the process. `max`: the size of the connection pool. */
export function connectDatabase(url: string, max = 12): Client {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: transactionIdleMs,
  })
  pool.on('connect', (connection) => {
    // A broken connection rejects its query. Its error event needs a listener too, also while the pool closes.
    connection.on('error', () => undefined)
    runQueriesInOrder(connection)
  })
  return new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createPreparedStatementNames(), disposeExternalPool: true }),
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  })
}

function isClient(db: Database): db is Client {
  return '$transaction' in db
}

const attempts = 5

/**
 * Runs `work` in one transaction, or in the current one of `ctx`. The isolation level is read committed: commands lock the rows that they
 * decide on, against write skew, and saves check the row version. After a deadlock or a serialization failure, `work` runs again. This is safe because `work`
 * changes nothing outside the database.
 * @throws server.unavailable if the database cannot be reached
 */
export async function inTransaction<T, Ctx extends WithDatabase & { readonly log: Log }>(
  ctx: Ctx,
  work: (tx: Ctx) => Promise<T>,
): Promise<T> {
  const { db } = ctx
  if (!isClient(db)) return work(ctx)
  for (let attempt = 1; ; attempt++) {
    const afterwards: CommitCallbacks[] = []
    let isWorkDone = false
    try {
      const result = await db.$transaction(async (tx) => {
        callbacksByTransaction.set(tx, afterwards)
        const done = await work({ ...ctx, db: tx })
        isWorkDone = true
        return done
      })
      for (const { run } of afterwards) run()
      return result
    } catch (error) {
      // The commit was sent, and its answer was lost.
      if (isWorkDone) for (const { ifUnsure } of afterwards) ifUnsure?.()
      if (isDatabaseAway(error)) throw serverUnavailable(error)
      if (attempt === attempts || !isRetryable(error)) throw error
      ctx.log.debug({ event: 'database.transaction_retried', err: error, attempt }, 'A transaction had a conflict and is retried.')
      await new Promise((resolve) => {
        setTimeout(resolve, attempt * (10 + Math.random() * 40))
      })
    }
  }
}

/** Runs SQL text in the current transaction of `tx`. */
export function statementsOf(tx: WithDatabase): Statements {
  return { query: <Row>(_name: string, text: string, values: readonly unknown[]) => tx.db.$queryRawUnsafe<Row[]>(text, ...values) }
}

/** Callbacks that wait for the commit of each open transaction. */
const callbacksByTransaction = new WeakMap<Database, CommitCallbacks[]>()
type CommitCallbacks = { readonly run: () => void; readonly ifUnsure: (() => void) | undefined }

/**
 * Runs `work` after the transaction of `ctx` commits, immediately if there is no transaction, and never after a failure. The process may
 * die in between, so use it only for effects that another path repeats. `ifUnsure` runs instead if the outcome of the commit is unknown.
 * Neither may throw.
 */
export function afterCommit(ctx: WithDatabase, work: () => void, ifUnsure?: () => void): void {
  const afterwards = callbacksByTransaction.get(ctx.db)
  if (afterwards) afterwards.push({ run: work, ifUnsure })
  else work()
}

/** A conflict with a concurrent transaction: a deadlock, a failed serialization, or a row that was saved in the meantime. */
function isRetryable(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'version.conflict'
  return error instanceof Prisma.PrismaClientKnownRequestError && (error.code === 'P2034' || /\b(40P01|40001)\b/.test(error.message))
}

/** Whether the database rejected a second row with the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
