import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'

/** How far in advance monthly partitions are created, in days. */
const aheadDays = 62
const dayMs = 86_400_000

/** Creates the partitions of the coming months in order, and returns how many were created. */
export async function createPartitions(ctx: Context): Promise<number> {
  const wanted = ctx.clock.now().getTime() + aheadDays * dayMs
  for (let opened = 0; ; opened++) {
    const isEnough = await inTransaction(ctx, async (tx) => {
      // The lock blocks all appends, so it is only attempted for a short time. A later run retries.
      await tx.db.$executeRaw`set local lock_timeout = '3s'`
      await tx.db.$executeRaw`lock table "message_partition" in share row exclusive mode`
      const last = await tx.db.messagePartition.findFirst({ orderBy: { upTo: 'desc' }, select: { upTo: true } })
      if (last && uuidTimestampOf(last.upTo) >= wanted) return true
      await tx.db.$queryRaw`select "create_message_partition"()`
      return false
    })
    if (isEnough) return opened
  }
}

/** The Unix milliseconds at the start of a UUIDv7. */
export function uuidTimestampOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
