import { type EscrowPlan, type MemberSignature, stepSubmissionTypedData } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { liveStates } from '../chain/transaction.ts'
import { isFunded } from './hold.ts'
import { loadHold, lockHold } from './hold-store.ts'

type Hex = `0x${string}`
type Submission = { readonly goalId: string; readonly step: number; readonly outputsHash: string }
export type VerifiedSubmission = Submission & { readonly version: number; readonly signer: Hex; readonly signature: Hex }

/**
 * Verifies the payee's signature that submits a step under the charter in force; null if it does not. Queries the chain for
 * signers and contract wallets, so call it outside a transaction.
 */
export async function verifyStepSubmissionSignature(
  ctx: Context,
  input: Submission,
  given: MemberSignature,
): Promise<VerifiedSubmission | null> {
  const { goalId, step, outputsHash } = input
  const hold = await loadHold(ctx, goalId)
  if (hold.rail !== 'escrow' || !isFunded(hold) || !hold.charter) return null
  const { version } = hold.charter
  const payout = await ctx.db.payout.findFirst({ where: { goalId, step, charterVersion: version } })
  if (!payout) return null
  const [signer, signature] = [given.signer as Hex, given.signature as Hex]
  if (payout.payee !== signer && !(await ctx.ports.rail.isSigner(payout.payee as Hex, signer))) return null
  const plan = { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId } as EscrowPlan
  const typedData = stepSubmissionTypedData({ plan, version, step, outputs_hash: outputsHash })
  if (!(await ctx.ports.verifyWallet.typedData({ address: signer, typedData, signature }))) return null
  return { ...input, version, signer, signature }
}

/** Stores the submission until the step is paid or must be submitted on chain. */
export async function saveStepSubmissionSignature(tx: Context, submission: VerifiedSubmission): Promise<void> {
  await tx.db.stepSubmission.createMany({ data: [{ ...submission, createdAt: tx.clock.now() }], skipDuplicates: true })
}

/**
 * The client has returned the step, so the server will not submit it on chain. False if it is submitted or pending on chain. Then
 * a return has no effect, and only a dispute stops the payment.
 */
export async function deleteStepSubmissionSignature(tx: Context, { goalId, step }: { goalId: string; step: number }): Promise<boolean> {
  const hold = await lockHold(tx, goalId)
  if (hold.rail !== 'escrow') return true
  // Under a former charter the escrow has dropped its submissions.
  const where = { goalId, step, state: { not: 'replaced' }, submittedTx: { not: null } } as const
  if ((await tx.db.payout.count({ where })) > 0) return false
  const key = `submit:${goalId}:${isFunded(hold) ? hold.charter?.version : ''}:${step}`
  const sent = await tx.db.chainTransaction.count({
    where: { goalId, OR: [{ key }, { key: { startsWith: `${key}#` } }], state: { in: [...liveStates, 'final', 'posted'] } },
  })
  if (sent > 0) return false
  await tx.db.stepSubmission.deleteMany({ where: { goalId, step } })
  return true
}
