import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { charterNotApprovable } from '../errors.ts'
import { requireClient } from '../holds/get-funding-terms.ts'
import { advanceHold, type CardHold, type EscrowHold, type Hold, isFunded } from '../holds/hold.ts'
import { type HoldCharter, listCharters, loadHold, lockHold, saveHold } from '../holds/hold-store.ts'
import { requireClientSignature, signedPlan, vetoTypedData } from './authorization-and-veto-typed-data.ts'
import { findCharterUnknownToServer } from './find-charter-unknown-to-server.ts'
import { isCardCharterPayable } from './is-card-charter-payable.ts'

export type VetoCharter = {
  readonly goalId: string
  readonly version: number
  readonly reason: string
  readonly signature: `0x${string}`
}

/**
 * Verifies that the client may veto this charter and has signed the veto. A foreign proposal can be vetoed even if the client
 * approved our charter of the same version. The escrow then vetoes the proposal, and the approved charter can be sealed later.
 * Call it outside a transaction.
 * @throws permission.denied, team.wrong_state, team.signature_invalid
 */
export async function verifyVeto(ctx: Context, input: VetoCharter): Promise<EscrowMemberSignature> {
  const { goalId, version, signature } = input
  const hold = await loadHold(ctx, goalId)
  requireClient(ctx, hold)
  const charters = await listCharters(ctx, goalId)
  if (hold.rail === 'escrow') await requireVetoableOnChain(ctx, hold, { version, newest: charters[0] })
  else requireVetoableByCard(ctx, hold, { version, charters })
  return requireClientSignature(ctx, hold, { typedData: vetoTypedData(signedPlan(ctx, hold), version), signature, what: 'veto' })
}

/** @throws team.wrong_state */
async function requireVetoableOnChain(
  ctx: Context,
  hold: EscrowHold,
  { version, newest }: { readonly version: number; readonly newest: HoldCharter | undefined },
): Promise<void> {
  const plan = await ctx.ports.rail.plan(hold.planId)
  const isInWindow = plan.version === version && plan.payableFrom > seconds(ctx.clock.now())
  const isWaiting = newest?.version === version && plan.version < version
  const isForeign = isInWindow && (await findCharterUnknownToServer(ctx, hold))?.version === version
  if (!isForeign && newest?.version === version && newest.authorization) throw charterNotApprovable('approved')
  if (!isInWindow && !isWaiting) throw charterNotApprovable('in force, or not the newest')
}

/** @throws team.wrong_state */
function requireVetoableByCard(
  ctx: Context,
  hold: CardHold,
  { version, charters }: { readonly version: number; readonly charters: readonly HoldCharter[] },
): void {
  const [newest] = charters
  if (newest?.version !== version || isInForce(hold, version)) throw charterNotApprovable('in force, or not the newest')
  if (isCardCharterPayable(newest, charters, hold.terms, ctx.clock.now()))
    throw charterNotApprovable('approved, or its veto window is over')
}

function isInForce(hold: Hold, version: number): boolean {
  return isFunded(hold) && hold.charter?.version === version
}

/** `foreign`: vetoed a charter that this server never received; our approved one stays. Null if it was already vetoed. */
export type VetoResult = 'own' | 'foreign' | null

/** Stores the client's veto. A charter not yet on chain is never proposed. A proposed one is vetoed on chain with the same signature. */
export async function vetoCharter(tx: Context, input: VetoCharter, given: EscrowMemberSignature): Promise<VetoResult> {
  const { goalId, version, reason } = input
  const hold = await lockHold(tx, goalId)
  const charters = await listCharters(tx, goalId)
  const isApproved = charters.some((one) => one.version === version && one.authorization)
  const foreign = isApproved && hold.rail === 'escrow' ? await findCharterUnknownToServer(tx, hold) : null
  if (isApproved && foreign?.version !== version) throw charterNotApprovable('approved')
  if (hold.rail === 'stripe' && isInForce(hold, version)) throw charterNotApprovable('in force')
  const made = await tx.db.charterVeto.createMany({
    data: [{ goalId, version, ...given, reason, createdAt: tx.clock.now() }],
    skipDuplicates: true,
  })
  if (made.count === 0) return null
  if (!isApproved) await tx.db.charterSealing.deleteMany({ where: { goalId, version } })
  if (hold.state === 'authorized' && !isInForce(hold, version) && !isApproved) {
    await saveHold(tx, advanceHold(hold, { type: 'refuse', failure: `The client vetoed it: ${reason}` }))
    await enqueue(tx, { type: 'hold.failed', goal_id: goalId as never })
  }
  await appendAudit(tx, {
    stream: holdAuditStreamName(goalId),
    action: 'hold.veto_charter',
    after: { version, signer: given.signer, reason },
  })
  await enqueue(tx, { type: 'team.vetoed', goal_id: goalId as never, version })
  await sendSignal(tx, { topic: 'goal', id: goalId })
  return isApproved ? 'foreign' : 'own'
}
