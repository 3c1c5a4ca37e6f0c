import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { Prisma, PrismaClient } from '../prisma/client/client.ts'
import type { Context } from './context.ts'
import type { Statements } from './db/pipelined-writer.ts'
import { createPreparedStatementNames } from './db/prepared-statement-names.ts'
import { serializeQueries } from './db/serialize-queries.ts'
import { DomainError, isDatabaseAway, serverUnavailable } from './errors.ts'

export {
  arrayText,
  type Condition,
  connectWriter,
  isStaleExpectation,
  type PipelinedStatement,
  type Statements,
  type TransactionConnection,
  type Writer,
} from './db/pipelined-writer.ts'
export { Prisma }
/** The client, or inside `inTransaction` the transaction's. */
export type Database = Prisma.TransactionClient
export type Client = PrismaClient

/**
 * So long a verb's transaction may wait for its process, which may be stopped, cut off or gone without a word: then the
 * database ends it, and what it had locked is free for all others.
 */
const transactionIdleMs = 10_000
/** So long a connection may take to be there, new or free. */
const connectMs = 10_000
/** The longest that one statement may work or wait for a lock: after it the database ends the statement, which frees its connection. */
const statementMs = 60_000

/** The one place that makes a database client. `max`: connections of this process's pool. */
export function connectDatabase(url: string, max = 12): Client {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: transactionIdleMs,
  })
  pool.on('connect', (connection) => {
    // One that breaks in use tells its query, and while the pool ends nobody else would hear of it.
    connection.on('error', () => undefined)
    serializeQueries(connection)
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
 * Runs `work` in one transaction, or in the one that `ctx` is already in. Reads committed: verbs lock the row they decide
 * on, and saves check its version. Two transactions that wait for each other are told apart by the database, which ends
 * one of them: that one is run again from its beginning, which is safe because `work` touches nothing outside the database.
 * @throws server.unavailable where the database can't be reached
 */
export async function inTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
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
      // The commit was asked for, and its answer didn't come.
      if (isWorkDone) for (const { ifUnsure } of afterwards) ifUnsure?.()
      if (isDatabaseAway(error)) throw serverUnavailable(error)
      if (attempt === attempts || !isRetryable(error)) throw error
      ctx.log.debug({ err: error, attempt }, 'a transaction is run again')
      await new Promise((resolve) => {
        setTimeout(resolve, attempt * (10 + Math.random() * 40))
      })
    }
  }
}

/** Statements of the transaction that `tx` is in, for who has them as text. */
export function statementsOf(tx: Context): Statements {
  return { query: <Row>(_name: string, text: string, values: readonly unknown[]) => tx.db.$queryRawUnsafe<Row[]>(text, ...values) }
}

/** What waits for the commit of each transaction under way. */
const callbacksByTransaction = new WeakMap<Database, CommitCallbacks[]>()
type CommitCallbacks = { readonly run: () => void; readonly ifUnsure: (() => void) | undefined }

/**
 * Runs `work` once the transaction that `ctx` is in has committed, at once where it is in none, and never where it fails.
 * Between the commit and this the process may die: only for what is looked for again elsewhere. `ifUnsure`: instead of it,
 * where whether it has committed can't be known. Neither may throw.
 */
export function afterCommit(ctx: Context, work: () => void, ifUnsure?: () => void): void {
  const afterwards = callbacksByTransaction.get(ctx.db)
  if (afterwards) afterwards.push({ run: work, ifUnsure })
  else work()
}

/** True where somebody else was in the way at the same moment: a deadlock, a failed serialization, a row saved meanwhile. */
function isRetryable(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'conflict.version'
  return error instanceof Prisma.PrismaClientKnownRequestError && (error.code === 'P2034' || /\b(40P01|40001)\b/.test(error.message))
}

/** True where the database refused a second row with the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
