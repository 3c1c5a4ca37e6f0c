import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { sendSignal } from '../../signals/signal.ts'
import { createTransactionIntent } from '../chain/create-transaction-intent.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { loadEscrowedStep, stepIndex } from '../disputes/load-escrowed-step.ts'
import { lockSettlementOffer, transitionSettlementOffer } from '../disputes/settlement-offer-store.ts'
import { hasStep, stepsWithStatus } from '../holds/hold.ts'
import { escrowCharter, lockHold } from '../holds/hold-store.ts'
import { scheduleSealNow } from '../holds/schedule-sealing.ts'
import { submitTransaction } from './submit-transaction.ts'

const attempts = 5

/** Submits a split signed by both parties to the escrow. Runs after `settlement_offer.accepting` and in every cycle. */
export async function submitAcceptedOffer(ctx: Context, offerId: string): Promise<void> {
  await submitTransaction(ctx, async (tx) => {
    const found = await tx.db.settlementOffer.findUniqueOrThrow({ where: { id: offerId } })
    await lockHold(tx, found.goalId)
    const offer = await lockSettlementOffer(tx, offerId)
    if (offer.state !== 'accepting' || offer.counterSignature === null) return null
    const { hold, charter } = await loadEscrowedStep(tx, offer.goalId, offer.step)
    const plan = await tx.ports.rail.plan(hold.planId)
    // Its charter is not on chain yet and must be sealed first.
    if (plan.status === 1 && plan.version < charter.version) {
      await scheduleSealNow(tx, offer.goalId)
      return null
    }
    const isOpen = hasStep(stepsWithStatus(plan.codes, 'pending') | stepsWithStatus(plan.codes, 'disputed'), offer.step)
    // Already ended, perhaps by this offer. The event will show how.
    if (plan.status !== 1 || !isOpen) return null
    const [own, answer] = [offer.signature as `0x${string}`, offer.counterSignature as `0x${string}`]
    const prepared = await createTransactionIntent(tx, {
      key: `offer:${offer.id}`,
      purpose: 'offer',
      goalId: offer.goalId,
      call: {
        kind: 'acceptOffer',
        terms: hold.terms,
        charter: escrowCharter(charter),
        step: stepIndex(offer.step),
        payeeBps: offer.payeeBps,
        deadline: offer.deadline,
        clientSignature: offer.party === 'client' ? own : answer,
        payeeSignature: offer.party === 'payee' ? own : answer,
      },
      attempts,
    })
    if ('transaction' in prepared) return prepared.transaction
    await transitionSettlementOffer(tx, offer, 'lapsed', { failure: prepared.refused })
    await appendAudit(tx, {
      stream: holdAuditStreamName(offer.goalId),
      action: 'settlement_offer.refuse',
      after: { settlement_offer_id: offer.id, failure: prepared.refused },
    })
    await sendSignal(tx, { topic: 'goal', id: offer.goalId })
    return null
  })
}
