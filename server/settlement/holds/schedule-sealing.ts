import type { Context } from '../../context.ts'

/** So long after the escrow refused to seal a charter that is in force, it is asked again. Seconds. */
export const sealRetrySeconds = 600

/** Has a charter brought on chain from this moment on, or earlier where that was decided before. */
export async function scheduleSealing(tx: Context, { goalId, version, at }: { goalId: string; version: number; at: Date }): Promise<void> {
  const key = { goalId_version: { goalId, version } }
  const known = await tx.db.charterSealing.findUnique({ where: key })
  if (known && known.dueAt <= at) return
  await tx.db.charterSealing.upsert({ where: key, create: { goalId, version, dueAt: at }, update: { dueAt: at } })
}

/** Has a refused charter brought on chain again after a pause. `key`: of the transactions that were refused. Answers when. */
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

/** Has the charter in force brought on chain now, or when its pause is over: what comes next needs it there. Nothing where none is in force. */
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
