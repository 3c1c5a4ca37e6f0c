import type { Context } from '../context.ts'

/** Deletes in small batches, so that no lock is held for long. The next run continues. */
const batch = 500
const batches = 20

/**
 * Deletes expired notes of all agents. Concurrent runs share the work. The audit row of each note names its expiry. Returns the number of
 * deleted notes.
 */
export async function expireMemory(ctx: Context): Promise<number> {
  const now = ctx.clock.now()
  let expired = 0
  for (let round = 0; round < batches; round++) {
    const gone = await ctx.db.$executeRaw`
      delete from "memory_note" where ("agentId", "key") in (
        select "agentId", "key" from "memory_note" where "expiresAt" <= ${now} order by "expiresAt" limit ${batch} for update skip locked)
        and "expiresAt" <= ${now}`
    expired += gone
    if (gone < batch) break
  }
  return expired
}
