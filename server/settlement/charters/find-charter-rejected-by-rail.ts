import type { Context } from '../../context.ts'

/** The charter that the rail has finally rejected, and why. Null if the newest charter is in force or pending. */
export async function findCharterRejectedByRail(ctx: Context, goalId: string): Promise<{ version: number; failure: string } | null> {
  const hold = await ctx.db.hold.findUnique({ where: { goalId }, select: { state: true, failure: true, charterVersion: true } })
  if (hold?.state !== 'authorized' || hold.failure === null) return null
  const version = await lastCharterVersion(ctx, goalId)
  return version > hold.charterVersion ? { version, failure: hold.failure } : null
}

/** The highest version that was submitted to the rail; 0 before the first. A rejected version is never reused. */
export async function lastCharterVersion(ctx: Context, goalId: string): Promise<number> {
  const newest = await ctx.db.holdCharter.findFirst({ where: { goalId }, orderBy: { version: 'desc' }, select: { version: true } })
  return newest?.version ?? 0
}
