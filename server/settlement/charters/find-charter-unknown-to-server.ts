import type { Context } from '../../context.ts'
import { clearAlarms, listAlarms, raiseAlarm } from '../alarms/operator-alarms.ts'
import { listCharters } from '../holds/hold-store.ts'
import { matchesSealedEvent, type SealedEventArgs } from './matches-sealed-event.ts'

/** A charter that the escrow has sealed for one of our plans, but that this server never received. */
export type CharterUnknownToServer = {
  readonly version: number
  readonly charterHash: string
  /** Unix seconds: end of the client's veto window. 0 if the client's wallet or session key signed the charter. */
  readonly payableFrom: number
}
type LogPosition = { readonly block: number; readonly logIndex: number }

/**
 * The charter that was sealed last, if this server does not know it. Null if it does, if the client vetoed it, or if the plan is
 * closed. `before`: state before this event.
 */
export async function findCharterUnknownToServer(
  ctx: Context,
  { goalId, planId }: { readonly goalId: string; readonly planId: string },
  before?: LogPosition,
): Promise<CharterUnknownToServer | null> {
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

/** Raises the alarm of a goal while a charter that the server never received is sealed on chain, and clears it otherwise. */
export async function updateUnknownCharterAlarm(tx: Context, plan: { readonly goalId: string; readonly planId: string }): Promise<void> {
  const unknown = await findCharterUnknownToServer(tx, plan)
  const subject = plan.goalId
  if (!unknown) return clearAlarms(tx, ['foreign_charter'], { subject })
  const { version, charterHash, payableFrom } = unknown
  await raiseAlarm(tx, { kind: 'foreign_charter', subject, facts: { version, charter_hash: charterHash, payable_from: payableFrom } })
}

/** Checks every raised alarm again after a reorganization. */
export async function updateUnknownCharterAlarms(tx: Context): Promise<void> {
  const raised = (await listAlarms(tx)).filter((alarm) => alarm.kind === 'foreign_charter')
  for (const { subject: goalId } of raised) {
    const { planId } = await tx.db.hold.findUniqueOrThrow({ where: { goalId }, select: { planId: true } })
    if (planId !== null) await updateUnknownCharterAlarm(tx, { goalId, planId })
  }
}
