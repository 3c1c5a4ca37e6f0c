import type { AcceptSettlementOffer } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { notDisputeParty, offerNotFound } from '../errors.ts'
import { lockHold } from '../holds/hold-store.ts'
import { offerTypedData } from './dispute-and-offer-typed-data.ts'
import { loadEscrowedStep, requireDisputeParty } from './load-escrowed-step.ts'
import { requireOfferable } from './make-settlement-offer.ts'
import { requirePartySignature } from './require-party-signature.ts'
import { lockSettlementOffer, requireSettlementOfferTransition, transitionSettlementOffer } from './settlement-offer-store.ts'

/**
 * The other party accepts a split by its signature. A job sends both signatures to the escrow, and the contract's event confirms
 * the split. Idempotent.
 * @throws settlement_offer.not_found, settlement_offer.wrong_state, dispute.not_party, dispute.wrong_state, dispute.signature_invalid
 */
export async function acceptSettlementOffer(
  ctx: Context,
  input: AcceptSettlementOffer,
): Promise<{ settlement_offer_id: string; state: string }> {
  await permit(ctx, 'settlement_offer.accept')
  const found = await ctx.db.settlementOffer.findUnique({ where: { id: input.settlement_offer_id } })
  if (!found) throw offerNotFound(input.settlement_offer_id)
  const { goalId, step, payeeBps, deadline, party } = found
  const escrowedStep = await loadEscrowedStep(ctx, goalId, step)
  const { by } = requireDisputeParty(ctx, escrowedStep)
  const other = party === 'client' ? escrowedStep.payout.payee : escrowedStep.hold.terms.client
  if (by !== other) throw notDisputeParty(by, step)
  if (found.state === 'accepting' || found.state === 'accepted') return { settlement_offer_id: found.id, state: found.state }
  requireSettlementOfferTransition(found.state, 'accepting', 'be accepted')
  requireOfferable(escrowedStep, deadline, seconds(ctx.clock.now()))
  const signature = input.signature as `0x${string}`
  await requirePartySignature(ctx, by, offerTypedData(escrowedStep, { step, payeeBps, deadline }), signature)

  return inTransaction(ctx, async (tx) => {
    await lockHold(tx, goalId)
    await requireNotFrozen(tx, { goalId })
    const offer = await lockSettlementOffer(tx, found.id)
    const next = await transitionSettlementOffer(tx, offer, 'accepting', { counterSignature: signature, counterSignedAt: tx.clock.now() })
    await appendAudit(tx, {
      stream: holdAuditStreamName(goalId),
      action: 'settlement_offer.accept',
      before: { state: offer.state },
      after: { state: next.state, settlement_offer_id: offer.id, step, payee_bps: payeeBps },
    })
    await enqueue(tx, { type: 'settlement_offer.accepting', goal_id: goalId as never, settlement_offer_id: offer.id as never })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { settlement_offer_id: offer.id, state: next.state }
  })
}
