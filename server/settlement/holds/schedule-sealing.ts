import type { Context } from '../../context.ts'

/** Delay before a rejected seal of the charter in force is retried. Seconds. */
export const sealRetrySeconds = 600

/** Schedules the sealing of a charter at this time. An earlier schedule stays. */
export async function scheduleSealing(tx: Context, { goalId, version, at }: { goalId: string; version: number; at: Date }): Promise<void> {
  const key = { goalId_version: { goalId, version } }
  const known = await tx.db.charterSealing.findUnique({ where: key })
  if (known && known.dueAt <= at) return
  await tx.db.charterSealing.upsert({ where: key, create: { goalId, version, dueAt: at }, update: { dueAt: at } })
}

/** Reschedules the sealing of a rejected charter after a delay. `key`: of the rejected transactions. Returns the new time. */
export async function scheduleSealRetry(tx: Context, of: { goalId: string; version: number; key: string }): Promise<Date> {
  const { goalId, version, key } = of
  const now = tx.clock.now()
  await tx.db.chainTransaction.updateMany({
    where: { OR: [{ key }, { key: { startsWith: `${key}#` } }], state: 'failed_final', reopenedAt: null },
    data: { reopenedAt: now },
  })
  const dueAt = new Date(now.getTime() + sealRetrySeconds * 1_000)
  await tx.db.charterSealing.update({ where: { goalId_version: { goalId, version } }, data: { dueAt } })
  return dueAt
}

/**
 * Schedules the sealing of the charter in force now, or at the end of its retry delay, because the next action needs it on chain.
 * Does nothing if no charter is in force.
 */
export async function scheduleSealNow(tx: Context, goalId: string): Promise<void> {
  const hold = await tx.db.hold.findUniqueOrThrow({ where: { goalId }, select: { charterVersion: true, rail: true } })
  if (hold.rail !== 'escrow' || hold.charterVersion === 0) return
  const now = tx.clock.now()
  const pause = sealRetrySeconds * 1_000
  const refused = await tx.db.chainTransaction.findFirst({
    where: { goalId, purpose: 'seal', reopenedAt: { gt: new Date(now.getTime() - pause), lte: now } },
    orderBy: { reopenedAt: 'desc' },
  })
  const at = refused?.reopenedAt ? new Date(refused.reopenedAt.getTime() + pause) : now
  await scheduleSealing(tx, { goalId, version: hold.charterVersion, at })
}

export function sealKey(goalId: string, version: number): string {
  return `seal:${goalId}:${version}`
}
