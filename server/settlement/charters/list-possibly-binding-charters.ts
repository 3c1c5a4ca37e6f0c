import type { Context } from '../../context.ts'
import { type HoldCharterStep, listCharters, loadHold } from '../holds/hold-store.ts'
import { sealKey } from '../holds/schedule-sealing.ts'

/**
 * Every charter that may determine what a plan pays. These are the one in force and each later one that was approved or broadcast.
 * Members hold approved charters, and broadcast calls are public. Anyone may send them until the escrow has a later version.
 */
export async function listPossiblyBindingCharters(
  ctx: Context,
  goalId: string,
): Promise<readonly { readonly version: number; readonly steps: readonly HoldCharterStep[] }[]> {
  const hold = await loadHold(ctx, goalId)
  const inForce = 'charter' in hold ? (hold.charter?.version ?? 0) : 0
  const isFixed = hold.rail === 'escrow' && (await isCharterFixed(ctx, hold.planId))
  const possible = []
  for (const charter of await listCharters(ctx, goalId)) {
    const { version } = charter
    if (isFixed && version !== inForce) continue
    const isAtLarge = charter.authorization !== null || (await wasBroadcast(ctx, sealKey(goalId, version)))
    if (version === inForce || (version > inForce && isAtLarge)) possible.push(charter)
  }
  return possible
}

/** Whether a step was submitted, disputed or paid on chain. From then on the escrow rejects other charters. */
async function isCharterFixed(ctx: Context, planId: string): Promise<boolean> {
  const names = ['StepsSubmitted', 'StepDisputed', 'StepsSettled', 'StepsDefaulted', 'StepSplit', 'OfferAccepted']
  return (await ctx.db.chainLog.count({ where: { planId, name: { in: names } } })) > 0
}

/** Whether a call with this key was ever broadcast. */
export async function wasBroadcast(ctx: Context, key: string): Promise<boolean> {
  const attempt = { OR: [{ key }, { key: { startsWith: `${key}#` } }] }
  return (await ctx.db.signedTransaction.count({ where: { transaction: attempt } })) > 0
}
