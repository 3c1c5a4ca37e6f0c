import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowEvent } from '../../ports.ts'
import { advanceHold, type EscrowHold, type Hold, isFunded } from '../holds/hold.ts'
import { listCharters, saveHold } from '../holds/hold-store.ts'
import { scheduleSealing, scheduleSealNow } from '../holds/schedule-sealing.ts'
import { writePayouts } from '../holds/write-payouts.ts'
import { isApprovedByKey } from './authorization-and-veto-typed-data.ts'
import { findCharterUnknownToServer } from './find-charter-unknown-to-server.ts'
import { matchesSealedEvent } from './matches-sealed-event.ts'

type Hex = `0x${string}`

/** Applies `PlanSealed`: this charter is in force. Replaces the payouts of the previous version. */
export async function applyCharterSealedEvent(tx: Context, hold: Hold, event: EscrowEvent): Promise<Hold> {
  const version = Number(event.args.version)
  const hash = String(event.args.charterHash) as Hex
  if (!isFunded(hold) || hold.rail !== 'escrow') return hold
  const { goalId } = hold
  const charter = (await listCharters(tx, goalId)).find((one) => matchesSealedEvent(one, event.args))
  if (!charter) {
    tx.log.error(
      { event: 'charter.foreign_sealed', goal: goalId, version, hash },
      'The escrow sealed a charter that this server never received.',
    )
    // While the veto window runs, the charter that the client approved can still replace this one.
    await scheduleSealNow(tx, goalId)
    return hold
  }
  await tx.db.charterSealing.deleteMany({ where: { goalId, version: { lte: version } } })
  const isNew = hold.charter === null || hold.charter.version < version
  const sealed = isNew ? await saveHold(tx, advanceHold(hold, { type: 'seal', charter: { version, hash } })) : hold
  if (isNew) await writePayouts(tx, sealed, charter)
  const payableFrom = Number(event.args.payableFrom ?? 0)
  // Work must not start while the client can veto. A job looks at it again when the window ends.
  const isProposed = payableFrom > event.at
  // If the client approved it in the meantime, send the approval now.
  if (isProposed && charter.authorization) await scheduleSealing(tx, { goalId, version, at: tx.clock.now() })
  else if (isProposed) await scheduleSealing(tx, { goalId, version, at: new Date((payableFrom + 1) * 1_000) })
  else if (isNew || (await wasProposed(tx, event))) await enqueue(tx, { type: 'team.recorded', goal_id: goalId as never, version })
  return sealed
}

/**
 * Finds the charter that the client's approval had put in force before a reorganization removed the funding. Its payouts do not
 * come from chain events, so they still exist. Null if there was none, or if a contract wallet approved it: then a `PlanSealed`
 * event decides.
 */
export async function findApprovedCharter(tx: Context, hold: EscrowHold): Promise<{ version: number; hash: Hex } | null> {
  const { goalId } = hold
  const payout = await tx.db.payout.findFirst({ where: { goalId, state: { not: 'replaced' } }, orderBy: { charterVersion: 'desc' } })
  const charter = payout && (await listCharters(tx, goalId)).find((one) => one.version === payout.charterVersion)
  if (!charter?.authorization || !(await isApprovedByKey(hold, charter, charter.authorization))) return null
  return { version: charter.version, hash: charter.hash }
}

/** Whether the same version was proposed before. Then work on it may start only now. */
async function wasProposed(tx: Context, { planId, args, txHash }: EscrowEvent): Promise<boolean> {
  const where = { planId, name: 'PlanSealed', args: { path: ['version'], equals: args.version ?? 0 }, txHash: { not: txHash } }
  return (await tx.db.chainLog.count({ where })) > 0
}

/** Applies `CharterVetoed`: no charter is in force until the client approves one or another is proposed. */
export async function applyCharterVetoedEvent(tx: Context, hold: Hold, event: EscrowEvent): Promise<Hold> {
  if (!isFunded(hold) || hold.rail !== 'escrow' || hold.charter?.version !== Number(event.args.version)) return hold
  // A foreign proposal can have the version of a charter that the client approved here. That charter stays.
  if (await findCharterUnknownToServer(tx, hold, event)) return hold
  const { goalId, charter } = hold
  await tx.db.payout.updateMany({ where: { goalId, charterVersion: charter.version, state: 'sealed' }, data: { state: 'replaced' } })
  await tx.db.charterSealing.deleteMany({ where: { goalId, version: charter.version } })
  if (hold.state !== 'authorized') return hold
  const open = await saveHold(tx, advanceHold(hold, { type: 'unseal', failure: 'The client vetoed it.' }))
  await enqueue(tx, { type: 'hold.failed', goal_id: goalId as never })
  return open
}
