import type { Context } from '../context.ts'

/** Has a charter brought on chain from this moment on, or earlier where that was decided before. */
export async function scheduleSealing(tx: Context, { goalId, version, at }: { goalId: string; version: number; at: Date }): Promise<void> {
  const key = { goalId_version: { goalId, version } }
  const known = await tx.db.charterSealing.findUnique({ where: key })
  if (known && known.dueAt <= at) return
  await tx.db.charterSealing.upsert({ where: key, create: { goalId, version, dueAt: at }, update: { dueAt: at } })
}

/** Has the charter in force brought on chain now: what comes next needs it there. Nothing where none is in force. */
export async function sealNow(tx: Context, goalId: string): Promise<void> {
  const hold = await tx.db.hold.findUniqueOrThrow({ where: { goalId }, select: { charterVersion: true, rail: true } })
  if (hold.rail !== 'escrow' || hold.charterVersion === 0) return
  await scheduleSealing(tx, { goalId, version: hold.charterVersion, at: tx.clock.now() })
}
