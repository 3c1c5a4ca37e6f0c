import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'

/** How far ahead of the clock there is a table for each month. */
const aheadDays = 62
const dayMs = 86_400_000

/** Opens the tables of the months to come, in their order; those that are there already stay. Gives how many were opened. */
export async function createPartitions(ctx: Context): Promise<number> {
  const wanted = ctx.clock.now().getTime() + aheadDays * dayMs
  for (let opened = 0; ; opened++) {
    const isEnough = await inTransaction(ctx, async (tx) => {
      // Everything that is said waits while a table is put in its place; where somebody holds that up, we come again.
      await tx.db.$executeRaw`set local lock_timeout = '3s'`
      await tx.db.$executeRaw`lock table "message_partition" in share row exclusive mode`
      const last = await tx.db.messagePartition.findFirst({ orderBy: { upTo: 'desc' }, select: { upTo: true } })
      if (last && timeOf(last.upTo) >= wanted) return true
      await tx.db.$queryRaw`select "open_messages"()`
      return false
    })
    if (isEnough) return opened
  }
}

/** Unix milliseconds that a UUIDv7 begins with. */
export function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
