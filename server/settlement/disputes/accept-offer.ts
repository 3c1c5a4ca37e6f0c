import type { AcceptOffer } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { notDisputeParty, offerNotFound } from '../errors.ts'
import { holdAuditStream } from '../events/audit-stream.ts'
import { requireNotFrozen } from '../events/freeze.ts'
import { lockHold } from '../holds/hold-store.ts'
import { lockOffer, requireOfferTransition, transitionOffer } from './dispute-store.ts'
import { loadPlanStep, requireDisputeParty } from './load-step.ts'
import { requireOfferable } from './make-offer.ts'
import { requireSignedBy } from './require-signed-by.ts'
import { offerTypedData } from './typed-data.ts'

/**
 * The other party accepts a split by its signature. A job sends both signatures to the escrow, and the contract's event confirms
 * the split. Idempotent.
 * @throws offer.not_found, offer.wrong_state, dispute.not_party, dispute.wrong_state, dispute.signature_invalid
 */
export async function acceptOffer(ctx: Context, input: AcceptOffer): Promise<{ offer_id: string; state: string }> {
  await permit(ctx, 'offer.accept')
  const found = await ctx.db.offer.findUnique({ where: { id: input.offer_id } })
  if (!found) throw offerNotFound(input.offer_id)
  const { goalId, step, payeeBps, deadline, party } = found
  const planStep = await loadPlanStep(ctx, goalId, step)
  const { by } = requireDisputeParty(ctx, planStep)
  const other = party === 'client' ? planStep.payout.payee : planStep.hold.terms.client
  if (by !== other) throw notDisputeParty(by, step)
  if (found.state === 'accepting' || found.state === 'accepted') return { offer_id: found.id, state: found.state }
  requireOfferTransition(found.state, 'accepting', 'be accepted')
  requireOfferable(planStep, deadline, seconds(ctx.clock.now()))
  const signature = input.signature as `0x${string}`
  await requireSignedBy(ctx, by, offerTypedData(planStep, { step, payeeBps, deadline }), signature)

  return inTransaction(ctx, async (tx) => {
    await lockHold(tx, goalId)
    await requireNotFrozen(tx, { goalId })
    const offer = await lockOffer(tx, found.id)
    const next = await transitionOffer(tx, offer, 'accepting', { answer: signature, answeredAt: tx.clock.now() })
    await appendAudit(tx, {
      chain: holdAuditStream(goalId),
      action: 'offer.accept',
      before: { state: offer.state },
      after: { state: next.state, offer_id: offer.id, step, payee_bps: payeeBps },
    })
    await enqueue(tx, { type: 'offer.accepting', goal_id: goalId as never, offer_id: offer.id as never })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { offer_id: offer.id, state: next.state }
  })
}
