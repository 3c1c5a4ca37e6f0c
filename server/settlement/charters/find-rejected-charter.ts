import type { Context } from '../../context.ts'

/**
 * The charter that the rail has refused for good, and why. Null where the newest that was handed over is in force, or still on
 * its way.
 */
export async function findRejectedCharter(ctx: Context, goalId: string): Promise<{ version: number; failure: string } | null> {
  const hold = await ctx.db.hold.findUnique({ where: { goalId }, select: { state: true, failure: true, charterVersion: true } })
  if (hold?.state !== 'authorized' || hold.failure === null) return null
  const version = await lastCharterVersion(ctx, goalId)
  return version > hold.charterVersion ? { version, failure: hold.failure } : null
}

/** The highest version that was ever handed over; 0 before the first. One that was refused keeps its number: no other gets it. */
export async function lastCharterVersion(ctx: Context, goalId: string): Promise<number> {
  const newest = await ctx.db.holdCharter.findFirst({ where: { goalId }, orderBy: { version: 'desc' }, select: { version: true } })
  return newest?.version ?? 0
}
