import type { Context } from '../context.ts'

/**
 * Runs `work` in a savepoint of the transaction of `tx`: a failure undoes only its changes. Deferred constraints are checked at the end.
 * Must not be nested.
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
    // If the database is unreachable, this throws an error that says so.
    await run('rollback to savepoint work')
    throw error
  }
}
