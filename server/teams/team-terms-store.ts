import { TeamPreferences } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import { goalPaused } from './errors.ts'

/** What a client says about the team of its goal. `preferences`: null if it has none. */
export type TeamTerms = { readonly preferences: TeamPreferences | null; readonly pausedAt: Date | null }

export async function getTeamTerms(ctx: Context, goalId: string): Promise<TeamTerms> {
  const row = await ctx.db.teamTerms.findUnique({ where: { goalId } })
  return { preferences: row?.preferences ? TeamPreferences.parse(row.preferences) : null, pausedAt: row?.pausedAt ?? null }
}

/** Part of the transaction that posts the goal. */
export async function saveTeamPreferences(tx: Context, goalId: string, preferences: TeamPreferences): Promise<void> {
  await tx.db.teamTerms.create({ data: { goalId, preferences: preferences as Prisma.InputJsonValue } })
}

/** `pausedAt`: null ends the pause. */
export async function savePause(tx: Context, goalId: string, pausedAt: Date | null): Promise<void> {
  await tx.db.teamTerms.upsert({ where: { goalId }, create: { goalId, preferences: Prisma.DbNull, pausedAt }, update: { pausedAt } })
}

/**
 * Passes unless the client has paused the goal. Work that runs already may end.
 * @throws goal.paused
 */
export async function requireNotPaused(tx: Context, goalId: string): Promise<void> {
  const { pausedAt } = await getTeamTerms(tx, goalId)
  if (pausedAt !== null) throw goalPaused(goalId)
}
