import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '../prisma/client/client.ts'
import type { Context } from './context.ts'

export { Prisma }
/** The client, or inside `inTransaction` the transaction's. */
export type Database = Prisma.TransactionClient
export type Client = PrismaClient

/** The one place that makes a database client. `max`: connections of this process's pool. */
export function connectDatabase(url: string, max = 12): Client {
  return new PrismaClient({
    adapter: new PrismaPg({ connectionString: url, max }),
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  })
}

function isClient(db: Database): db is Client {
  return '$transaction' in db
}

/**
 * Runs `work` in one transaction, or in the one that `ctx` is already in. Reads committed: verbs lock the row they decide
 * on (`lockRow`), and saves check its version.
 */
export async function inTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  if (!isClient(ctx.db)) return work(ctx)
  return ctx.db.$transaction((db) => work({ ...ctx, db }))
}

/** True where the database refused a second row with the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
