import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowEvent } from '../../ports.ts'
import { advanceHold, type EscrowHold, type Hold, isFunded } from '../holds/hold.ts'
import { listCharters, saveHold } from '../holds/hold-store.ts'
import { scheduleSealing, scheduleSealNow } from '../holds/schedule-sealing.ts'
import { writePayouts } from '../holds/write-payouts.ts'
import { findForeignCharter } from './foreign-charter.ts'
import { matchesSealedEvent } from './matches-sealed-event.ts'
import { isApprovedByKey } from './typed-data.ts'

type Hex = `0x${string}`

/** The charter in force is the chain's. Payouts follow it; those of the version before are replaced. */
export async function applySealed(tx: Context, hold: Hold, event: EscrowEvent): Promise<Hold> {
  const version = Number(event.args.version)
  const hash = String(event.args.charterHash) as Hex
  if (!isFunded(hold) || hold.rail !== 'escrow') return hold
  const { goalId } = hold
  const charter = (await listCharters(tx, goalId)).find((one) => matchesSealedEvent(one, event.args))
  if (!charter) {
    tx.log.error({ goal: goalId, version, hash }, 'the escrow has sealed a charter that was never handed over')
    // The one that the client has approved takes its place, as long as the veto window runs.
    await scheduleSealNow(tx, goalId)
    return hold
  }
  await tx.db.charterSealing.deleteMany({ where: { goalId, version: { lte: version } } })
  const isNew = hold.charter === null || hold.charter.version < version
  const sealed = isNew ? await saveHold(tx, advanceHold(hold, { type: 'seal', charter: { version, hash } })) : hold
  if (isNew) await writePayouts(tx, sealed, charter)
  const payableFrom = Number(event.args.payableFrom ?? 0)
  // Nobody works for what the client may still veto: looked at again when its window is over.
  const isProposed = payableFrom > event.at
  // An approval that was given meanwhile is brought to it at once.
  if (isProposed && charter.authorization) await scheduleSealing(tx, { goalId, version, at: tx.clock.now() })
  else if (isProposed) await scheduleSealing(tx, { goalId, version, at: new Date((payableFrom + 1) * 1_000) })
  else if (isNew || (await wasProposed(tx, event))) await enqueue(tx, { type: 'team.recorded', goal_id: goalId as never, version })
  return sealed
}

/**
 * The charter that was in force by the client's approval when the chain removed the funding. Its payouts are not the log's, so
 * they are still there. Null where there was none, and where a contract wallet approved it: then the log says when it is in force.
 */
export async function findApprovedCharter(tx: Context, hold: EscrowHold): Promise<{ version: number; hash: Hex } | null> {
  const { goalId } = hold
  const payout = await tx.db.payout.findFirst({ where: { goalId, state: { not: 'replaced' } }, orderBy: { charterVersion: 'desc' } })
  const charter = payout && (await listCharters(tx, goalId)).find((one) => one.version === payout.charterVersion)
  if (!charter?.authorization || !(await isApprovedByKey(hold, charter, charter.authorization))) return null
  return { version: charter.version, hash: charter.hash }
}

/** Whether this very version was proposed before: then work under it may begin only now. */
async function wasProposed(tx: Context, { planId, args, txHash }: EscrowEvent): Promise<boolean> {
  const where = { planId, name: 'PlanSealed', args: { path: ['version'], equals: args.version ?? 0 }, txHash: { not: txHash } }
  return (await tx.db.chainLog.count({ where })) > 0
}

/** The client has vetoed a charter: nothing is in force until another is approved, or proposed. */
export async function applyVetoed(tx: Context, hold: Hold, event: EscrowEvent): Promise<Hold> {
  if (!isFunded(hold) || hold.rail !== 'escrow' || hold.charter?.version !== Number(event.args.version)) return hold
  // A foreign proposal can have the number of the charter that the client has approved here, which stays.
  if (await findForeignCharter(tx, hold, event)) return hold
  const { goalId, charter } = hold
  await tx.db.payout.updateMany({ where: { goalId, charterVersion: charter.version, state: 'sealed' }, data: { state: 'replaced' } })
  await tx.db.charterSealing.deleteMany({ where: { goalId, version: charter.version } })
  if (hold.state !== 'authorized') return hold
  const open = await saveHold(tx, advanceHold(hold, { type: 'unseal', failure: 'The client vetoed it.' }))
  await enqueue(tx, { type: 'hold.failed', goal_id: goalId as never })
  return open
}
