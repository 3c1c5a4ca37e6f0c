import type { OpenDispute } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { lockHold } from '../holds/hold-store.ts'
import { disputeTypedData } from './dispute-and-offer-typed-data.ts'
import { requireDisputeTransition } from './dispute-store.ts'
import { hashEvidence, requireDisputable } from './get-dispute-typed-data.ts'
import { loadEscrowedStep, requireDisputeParty } from './load-escrowed-step.ts'
import { requirePartySignature } from './require-party-signature.ts'

/**
 * Accepts a party's evidence and signature. A job sends the signature to the escrow, and the contract's event opens the dispute.
 * The evidence stays in the database; its hash goes on chain. Idempotent.
 * @throws dispute.not_party, dispute.wrong_state, dispute.signature_invalid
 */
export async function openDispute(ctx: Context, input: OpenDispute): Promise<{ dispute_id: string; state: string }> {
  await permit(ctx, 'dispute.open')
  const { goal_id: goalId, step } = input
  const escrowedStep = await loadEscrowedStep(ctx, goalId, step)
  const { by } = requireDisputeParty(ctx, escrowedStep)
  const hash = await hashEvidence(input)
  const known = await ctx.db.dispute.findUnique({ where: { goalId_step: { goalId, step } } })
  if (known && known.by === by && known.evidenceHash === hash && known.state !== 'refused')
    return { dispute_id: known.id, state: known.state }
  if (known) requireDisputeTransition(known.state, 'signed', 'be opened')
  requireDisputable(escrowedStep, seconds(ctx.clock.now()))
  const signature = input.signature as `0x${string}`
  await requirePartySignature(ctx, by, disputeTypedData(escrowedStep, step, hash), signature)

  return inTransaction(ctx, async (tx) => {
    await lockHold(tx, goalId)
    await requireNotFrozen(tx, { goalId })
    requireDisputable(await loadEscrowedStep(tx, goalId, step), seconds(tx.clock.now()))
    const before = await tx.db.dispute.findUnique({ where: { goalId_step: { goalId, step } } })
    if (before) requireDisputeTransition(before.state, 'signed', 'be opened')
    const statement = {
      charterVersion: escrowedStep.charter.version,
      by,
      evidence: input.evidence,
      artifacts: input.artifacts,
      evidenceHash: hash,
      signature,
      state: 'signed' as const,
      failure: null,
    }
    const id = before?.id ?? tx.ids.next('dsp')
    await tx.db.dispute.upsert({
      where: { goalId_step: { goalId, step } },
      create: { id, goalId, step, ...statement, createdAt: tx.clock.now() },
      update: statement,
    })
    await appendAudit(tx, {
      stream: holdAuditStreamName(goalId),
      action: 'dispute.open',
      after: { dispute_id: id, step, by, evidence_hash: hash },
    })
    await enqueue(tx, { type: 'dispute.opening', goal_id: goalId, dispute_id: id as never })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { dispute_id: id, state: statement.state }
  })
}
