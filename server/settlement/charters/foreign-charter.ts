import type { Context } from '../../context.ts'
import { clearAlarms, listAlarms, raiseAlarm } from '../events/alarm.ts'
import { listCharters } from '../holds/hold-store.ts'
import { matchesSealedEvent, type SealedEventArgs } from './matches-sealed-event.ts'

/** A charter that the escrow has sealed for one of our plans, and that this server never handed over. */
export type ForeignCharter = {
  readonly version: number
  readonly charterHash: string
  /** Unix seconds: until when the client can veto it; 0 where the signature of the client's wallet or session key came with it. */
  readonly payableFrom: number
}
type LogPosition = { readonly block: number; readonly logIndex: number }

/**
 * The charter that the log shows sealed last, where it is none of ours. Null where it is ours, and where the client has vetoed it
 * or the plan is closed. `before`: as the log stood before this event.
 */
export async function findForeignCharter(
  ctx: Context,
  { goalId, planId }: { readonly goalId: string; readonly planId: string },
  before?: LogPosition,
): Promise<ForeignCharter | null> {
  const names = ['PlanSealed', 'CharterVetoed', 'PlanClosed']
  const earlier = before && { OR: [{ block: { lt: before.block } }, { block: before.block, logIndex: { lt: before.logIndex } }] }
  const last = await ctx.db.chainLog.findFirst({
    where: { planId, name: { in: names }, ...earlier },
    orderBy: [{ block: 'desc' }, { logIndex: 'desc' }],
  })
  if (last?.name !== 'PlanSealed') return null
  const args = last.args as SealedEventArgs
  if ((await listCharters(ctx, goalId)).some((one) => matchesSealedEvent(one, args))) return null
  return { version: Number(args.version), charterHash: String(args.charterHash), payableFrom: Number(args.payableFrom ?? 0) }
}

/** Raises the alarm of a goal while a foreign charter stands on chain, and clears it once none does. */
export async function updateForeignCharterAlarm(tx: Context, plan: { readonly goalId: string; readonly planId: string }): Promise<void> {
  const foreign = await findForeignCharter(tx, plan)
  const subject = plan.goalId
  if (!foreign) return clearAlarms(tx, ['foreign_charter'], { subject })
  const { version, charterHash, payableFrom } = foreign
  await raiseAlarm(tx, { kind: 'foreign_charter', subject, facts: { version, charter_hash: charterHash, payable_from: payableFrom } })
}

/** Looks again at every raised alarm: the chain has taken events back. */
export async function updateForeignCharterAlarms(tx: Context): Promise<void> {
  const raised = (await listAlarms(tx)).filter((alarm) => alarm.kind === 'foreign_charter')
  for (const { subject: goalId } of raised) {
    const { planId } = await tx.db.hold.findUniqueOrThrow({ where: { goalId }, select: { planId: true } })
    if (planId !== null) await updateForeignCharterAlarm(tx, { goalId, planId })
  }
}
