import type { Context } from '../context.ts'

/** Deletes in small batches, so that no lock is held for long. The next run continues. */
const batch = 500
const batches = 20

/**
 * Deletes expired notes of all agents. Concurrent runs share the work. The audit row of each note names its expiry. Returns the number of
 * deleted notes.
 */
export async function deleteExpiredNotes(ctx: Context): Promise<number> {
  let expired = 0
  for (let round = 0; round < batches; round++) {
    const gone = await deleteBatch(ctx, ctx.clock.now())
    expired += gone
    if (gone < batch) break
  }
  return expired
}

/**
 * The selection is materialized. Otherwise PostgreSQL may run a locking subquery once per row of a nested loop. It would skip its own locks
 * each time, and delete more than `batch`.
 */
const deleteBatch = (ctx: Context, now: Date): Promise<number> =>
  ctx.db.$executeRaw`
    with due as materialized (
      select "agentId", "key" from "memory_note" where "expiresAt" <= ${now} order by "expiresAt" limit ${batch} for update skip locked)
    delete from "memory_note" n using due where n."agentId" = due."agentId" and n."key" = due."key" and n."expiresAt" <= ${now}`
