import type { Context } from '../context.ts'

/** So many go in one statement, and no more than these in one round: nobody waits long for a lock, and the next round goes on. */
const batch = 500
const batches = 20

/**
 * Forgets what has expired, of whatever agent: one that has fallen silent keeps nothing longer than it said. Two at once share the
 * work. Its audit row has said when it would go. Returns how many went.
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
