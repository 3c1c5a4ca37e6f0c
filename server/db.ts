import { PrismaPg } from '@prisma/adapter-pg'
import { Prisma, PrismaClient } from '../prisma/client/client.ts'
import type { Context } from './context.ts'
import { DomainError } from './errors.ts'

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

const attempts = 5

/**
 * Runs `work` in one transaction, or in the one that `ctx` is already in. Reads committed: verbs lock the row they decide
 * on, and saves check its version. Two transactions that wait for each other are told apart by the database, which ends
 * one of them: that one is run again from its beginning, which is safe because `work` touches nothing outside the database.
 */
export async function inTransaction<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  const { db } = ctx
  if (!isClient(db)) return work(ctx)
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$transaction((tx) => work({ ...ctx, db: tx }))
    } catch (error) {
      if (attempt === attempts || !isCollision(error)) throw error
      ctx.log.debug({ err: error, attempt }, 'a transaction is run again')
      await new Promise((resolve) => {
        setTimeout(resolve, attempt * (10 + Math.random() * 40))
      })
    }
  }
}

/** True where somebody else was in the way at the same moment: a deadlock, a failed serialization, a row saved meanwhile. */
function isCollision(error: unknown): boolean {
  if (error instanceof DomainError) return error.code === 'conflict.version'
  return error instanceof Prisma.PrismaClientKnownRequestError && (error.code === 'P2034' || /\b(40P01|40001)\b/.test(error.message))
}

/** True where the database refused a second row with the same key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002'
}
