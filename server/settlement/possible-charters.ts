import type { Context } from '../context.ts'
import { type CharterStep, listCharters, loadHold } from './store.ts'
import { sealKey } from './submit-seal.ts'

/**
 * Every charter that may decide what a plan pays: the one in force, and each later one whose signed call was ever sent. What was
 * sent is public: mined and taken back, or never mined, anybody may bring it again until the escrow has a later version.
 */
export async function listPossibleCharters(
  ctx: Context,
  goalId: string,
): Promise<readonly { readonly version: number; readonly steps: readonly CharterStep[] }[]> {
  const hold = await loadHold(ctx, goalId)
  const inForce = 'charter' in hold ? (hold.charter?.version ?? 0) : 0
  const possible = []
  for (const charter of await listCharters(ctx, goalId)) {
    const { version } = charter
    if (version === inForce || (version > inForce && (await wasSent(ctx, sealKey(goalId, version))))) possible.push(charter)
  }
  return possible
}

async function wasSent(ctx: Context, key: string): Promise<boolean> {
  const attempt = { OR: [{ key }, { key: { startsWith: `${key}#` } }] }
  return (await ctx.db.chainCandidate.count({ where: { transaction: attempt } })) > 0
}
