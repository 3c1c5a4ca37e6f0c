import type { Context } from '../context.ts'

/**
 * Runs `work` inside the transaction that `tx` is in, so that where it fails only its own changes are gone and the
 * transaction goes on. Constraints that wait for the commit are checked at its end. Not to be nested.
 */
export async function inSavepoint<T>(tx: Context, work: () => Promise<T>): Promise<T> {
  const run = (statement: string) => tx.db.$executeRawUnsafe(statement)
  await run('savepoint work')
  try {
    const result = await work()
    await run('set constraints all immediate')
    await run('set constraints all deferred')
    await run('release savepoint work')
    return result
  } catch (error) {
    // Where the database is away this fails too, with an error that says so.
    await run('rollback to savepoint work')
    throw error
  }
}
