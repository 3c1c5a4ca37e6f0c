import type { Context } from '../../context.ts'
import { enqueue } from '../../delivery/index.ts'
import type { EscrowEvent } from '../../ports.ts'
import { type FundedHold, hasStep } from '../holds/hold.ts'
import { decodeSplit } from '../holds/step-outcomes-from-events.ts'
import { lockDispute, transitionDispute } from './dispute-store.ts'
import { findExecutedOffer, nextDisputeState } from './next-dispute-state.ts'
import { transitionSettlementOffer } from './settlement-offer-store.ts'

/** Applies `StepDisputed`, from any sender. */
export async function applyDisputeOpenedEvent(tx: Context, hold: FundedHold, event: EscrowEvent): Promise<void> {
  const { goalId } = hold
  const step = Number(event.args.step) + 1
  const opened = { openedTx: event.txHash, openedAt: new Date(event.at * 1_000) }
  const statement = { by: String(event.args.by), evidenceHash: String(event.args.evidenceHash) }
  await tx.db.payout.updateMany({ where: { goalId, step, state: { in: ['sealed', 'paying'] } }, data: { state: 'disputed' } })
  const known = await tx.db.dispute.findUnique({ where: { goalId_step: { goalId, step } } })
  if (known) {
    const dispute = await lockDispute(tx, known.id)
    if (nextDisputeState(dispute.state, 'disputed') === dispute.state) return
    // Both parties may have signed. The event decides who opened the dispute.
    const isOther = dispute.by !== statement.by || dispute.evidenceHash !== statement.evidenceHash
    if (isOther)
      await tx.db.dispute.update({ where: { id: dispute.id }, data: { ...statement, evidence: '', artifacts: [], signature: null } })
    await transitionDispute(tx, dispute, 'open', { ...opened, failure: null })
    await enqueue(tx, { type: 'dispute.opened', goal_id: goalId as never, dispute_id: dispute.id as never })
    return
  }
  const id = tx.ids.next('dsp')
  await tx.db.dispute.create({
    data: {
      id,
      goalId,
      step,
      charterVersion: hold.charter?.version ?? 0,
      ...statement,
      evidence: '',
      artifacts: [],
      state: 'open',
      ...opened,
      createdAt: tx.clock.now(),
    },
  })
  await enqueue(tx, { type: 'dispute.opened', goal_id: goalId as never, dispute_id: id })
}

/** Applies a split of a step by the arbitrator, by agreement, or by the terms. */
export async function applySplit(tx: Context, goalId: string, event: EscrowEvent): Promise<void> {
  const split = decodeSplit(event)
  if (!split) return
  const { step, payeeBps } = split
  const closed = { closedTx: event.txHash, closedAt: new Date(event.at * 1_000), payeeBps }
  const isRuled = event.name === 'StepRuled'
  const isAgreed = event.name === 'OfferAccepted'
  const dispute = await tx.db.dispute.findUnique({ where: { goalId_step: { goalId, step } } })
  const after = dispute && nextDisputeState(dispute.state, isRuled ? 'ruled' : isAgreed ? 'agreed' : 'closed')
  if (dispute && after && after !== dispute.state) {
    await transitionDispute(tx, dispute, after, {
      ...closed,
      ...(isRuled ? { rulingHash: String(event.args.rulingHash) } : {}),
    })
    if (isRuled) await enqueue(tx, { type: 'dispute.ruled', goal_id: goalId as never, dispute_id: dispute.id as never })
  }
  const offers = await tx.db.settlementOffer.findMany({
    where: { goalId, step, state: { in: ['made', 'accepting'] } },
    orderBy: { id: 'desc' },
  })
  const taken = findExecutedOffer(offers, { isAgreed, payeeBps })
  for (const offer of offers) {
    if (offer.id === taken?.id) await transitionSettlementOffer(tx, offer, 'accepted', { tx: event.txHash })
    else await transitionSettlementOffer(tx, offer, 'lapsed', { failure: 'The step was split otherwise.' })
  }
  if (isAgreed) await enqueue(tx, { type: 'settlement_offer.accepted', goal_id: goalId as never })
}

/** Ends the offers of steps that were paid in full. */
export async function lapseOffers(tx: Context, goalId: string, bits: bigint): Promise<void> {
  const offers = await tx.db.settlementOffer.findMany({ where: { goalId, state: { in: ['made', 'accepting'] } } })
  for (const offer of offers)
    if (hasStep(bits, offer.step)) await transitionSettlementOffer(tx, offer, 'lapsed', { failure: 'The step was paid whole.' })
}

/** Ends disputes and offers of a closed plan. A dispute without a ruling ends as the terms define. */
export async function lapseDisputes(tx: Context, goalId: string, event: EscrowEvent): Promise<void> {
  const open = await tx.db.dispute.findMany({ where: { goalId, state: { in: ['signed', 'open', 'ruling'] } } })
  for (const dispute of open) {
    const after = nextDisputeState(dispute.state, 'closed')
    if (after === null || after === dispute.state) continue
    if (after === 'refused') {
      await transitionDispute(tx, dispute, after, { failure: 'The escrow has closed this plan.' })
      continue
    }
    const payout = await tx.db.payout.findFirst({ where: { goalId, step: dispute.step, state: { in: ['paid', 'credited'] } } })
    await transitionDispute(tx, dispute, after, {
      closedTx: event.txHash,
      closedAt: new Date(event.at * 1_000),
      payeeBps: payout ? 10_000 : 0,
    })
  }
  await tx.db.settlementOffer.updateMany({
    where: { goalId, state: { in: ['made', 'accepting'] } },
    data: { state: 'lapsed', failure: 'The escrow has closed this plan.' },
  })
}
