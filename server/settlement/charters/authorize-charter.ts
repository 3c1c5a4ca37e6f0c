import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { charterApprovalLate, charterNotApprovable } from '../errors.ts'
import { requireClient } from '../holds/get-funding-terms.ts'
import { advanceHold, type FundedHold, isFunded } from '../holds/hold.ts'
import { type HoldCharter, listCharters, loadHold, lockHold, saveHold } from '../holds/hold-store.ts'
import { scheduleSealing, sealKey } from '../holds/schedule-sealing.ts'
import { writePayouts } from '../holds/write-payouts.ts'
import { authorizationTypedData, isApprovedByKey, requireClientSignature, signedPlan } from './authorization-and-veto-typed-data.ts'
import { wasBroadcast } from './list-possibly-binding-charters.ts'
import { isApprovalInTime, isInForceAtOnce, latestSafeSealTime } from './next-sealing.ts'

export type AuthorizeCharter = { readonly goalId: string; readonly version: number; readonly signature: `0x${string}` }

/**
 * Verifies the client's signature over a charter. Call it outside a transaction.
 * @throws permission.denied, team.wrong_state if it is not the newest charter, team.signature_invalid
 */
export async function verifyCharterApproval(ctx: Context, input: AuthorizeCharter): Promise<EscrowMemberSignature> {
  const hold = await loadHold(ctx, input.goalId)
  requireClient(ctx, hold)
  const charter = await requireNewestCharter(ctx, input)
  const typedData = authorizationTypedData(signedPlan(ctx, hold), charter)
  return requireClientSignature(ctx, hold, { typedData, signature: input.signature, what: 'charter' })
}

/**
 * Stores the client's approval. An approval by a key puts the first charter of a plan in force at once, and the charter is sealed
 * together with its settlement. An approval by a contract wallet (ERC-1271) can change, so the charter is sealed immediately. It
 * is in force after `PlanSealed`, like any charter that replaces another. On the card rail, a job puts it in force. False if the
 * charter was already approved.
 */
export async function authorizeCharter(tx: Context, input: AuthorizeCharter, given: EscrowMemberSignature): Promise<boolean> {
  const { goalId, version } = input
  const hold = await lockHold(tx, goalId)
  const charter = await requireNewestCharter(tx, input)
  if (charter.authorization) return false
  if (charter.veto) throw charterNotApprovable('vetoed')
  if (hold.state !== 'authorized') throw charterNotApprovable(`of a hold that is ${hold.state}`)
  const at = tx.clock.now()
  if (!isApprovalInTime(hold.terms, at)) throw charterApprovalLate()
  await tx.db.charterAuthorization.create({ data: { goalId, version, ...given, createdAt: at } })
  const isInForce =
    hold.rail === 'escrow' &&
    isInForceAtOnce({
      isOnlyCandidate: await isOnlyCandidate(tx, hold, charter),
      isByKey: await isApprovedByKey(hold, charter, given),
    })
  await tx.db.charterSealing.deleteMany({ where: { goalId, version } })
  if (isInForce) {
    await writePayouts(tx, await saveHold(tx, advanceHold(hold, { type: 'seal', charter: { version, hash: charter.hash } })), charter)
    await enqueue(tx, { type: 'team.recorded', goal_id: goalId as never, version })
    const urgentAt = new Date(latestSafeSealTime(hold.terms, seconds(hold.createdAt)) * 1_000)
    await scheduleSealing(tx, { goalId, version, at: urgentAt })
  } else await scheduleSealing(tx, { goalId, version, at })
  await appendAudit(tx, {
    stream: holdAuditStreamName(goalId),
    action: 'hold.authorize_charter',
    after: { version, charter_hash: charter.hash, signer: given.signer, in_force: isInForce },
  })
  await enqueue(tx, { type: 'team.authorized', goal_id: goalId as never, version })
  await sendSignal(tx, { topic: 'goal', id: goalId })
  return true
}

/** @throws team.wrong_state */
export async function requireNewestCharter(
  ctx: Context,
  { goalId, version }: Pick<AuthorizeCharter, 'goalId' | 'version'>,
): Promise<HoldCharter> {
  const [newest] = await listCharters(ctx, goalId)
  if (!newest) throw charterNotApprovable('not signed by all of its members yet')
  if (newest.version !== version) throw charterNotApprovable(`version ${newest.version} by now`)
  return newest
}

/** Whether no other charter of the plan can be sealed before this one. */
async function isOnlyCandidate(tx: Context, hold: FundedHold, charter: HoldCharter): Promise<boolean> {
  if (!isFunded(hold) || hold.charter !== null) return false
  for (const other of await listCharters(tx, hold.goalId))
    if (other.authorization || (await wasBroadcast(tx, sealKey(hold.goalId, other.version)))) {
      if (other.version !== charter.version) return false
    }
  return !(await wasBroadcast(tx, sealKey(hold.goalId, charter.version)))
}
