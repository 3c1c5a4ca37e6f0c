import type { Context } from '../context.ts'

/** Takes an advisory lock by its name, for the rest of the transaction. Waits while another transaction holds it. */
export async function lockUntilCommit(tx: Pick<Context, 'db'>, name: string): Promise<void> {
  await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}
