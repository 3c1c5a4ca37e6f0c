import type { MakeSettlementOffer } from '@parley/protocol'
import type { SettlementOffer } from '../../../prisma/client/client.ts'
import { appendAudit } from '../../audit/index.ts'
import { seconds } from '../../clock.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { holdAuditStreamName } from '../chain-events/audit-stream-name.ts'
import { requireNotFrozen } from '../chain-events/frozen-subjects.ts'
import { offerDeadlineInvalid, offerWrongState, stepNotDisputable } from '../errors.ts'
import { lockHold } from '../holds/hold-store.ts'
import { offerTypedData } from './dispute-and-offer-typed-data.ts'
import { type EscrowedStep, loadEscrowedStep, requireDisputeParty } from './load-escrowed-step.ts'
import { requirePartySignature } from './require-party-signature.ts'

/** Payout states in which a step can still be split. */
const openStates = ['sealed', 'paying', 'disputed']

/**
 * A party proposes a split of a step, with its signature. The split needs the other party's signature, unless the offer gives the
 * other party everything. The party's earlier offer lapses here, but the other party may still send it to the escrow before its
 * deadline. Idempotent.
 * @throws dispute.not_party, dispute.wrong_state, dispute.signature_invalid, settlement_offer.wrong_state
 */
export async function makeSettlementOffer(
  ctx: Context,
  input: MakeSettlementOffer,
): Promise<{ settlement_offer_id: string; state: string }> {
  await permit(ctx, 'settlement_offer.make')
  const { goal_id: goalId, step, payee_bps: payeeBps, deadline } = input
  const escrowedStep = await loadEscrowedStep(ctx, goalId, step)
  const { party, by } = requireDisputeParty(ctx, escrowedStep)
  // Checked first: no stored offer has such a deadline, and some values do not fit the database column.
  requireBeforeExpiry(escrowedStep, deadline, seconds(ctx.clock.now()))
  const same = { goalId, step, party, payeeBps, deadline, charterVersion: escrowedStep.charter.version }
  const known = await findStanding(ctx, same)
  if (known) return known
  requireOfferable(escrowedStep, deadline, seconds(ctx.clock.now()))
  const signature = input.signature as `0x${string}`
  await requirePartySignature(ctx, by, offerTypedData(escrowedStep, { step, payeeBps, deadline }), signature)

  return inTransaction(ctx, async (tx) => {
    await lockHold(tx, goalId)
    // Again under the lock: the same request may have been handled at the same time.
    const made = await findStanding(tx, same)
    if (made) return made
    await requireNotFrozen(tx, { goalId })
    requireOfferable(await loadEscrowedStep(tx, goalId, step), deadline, seconds(tx.clock.now()))
    const underway = await tx.db.settlementOffer.findFirst({ where: { goalId, step, state: 'accepting' } })
    if (underway) throw offerWrongState(underway.state, 'be followed by another')
    await tx.db.settlementOffer.updateMany({
      where: { goalId, step, party, state: 'made' },
      data: { state: 'lapsed', failure: 'The party has made another offer.' },
    })
    const isGift = payeeBps === (party === 'client' ? 10_000 : 0)
    const state = isGift ? 'accepting' : 'made'
    const id = tx.ids.next('ofr')
    await tx.db.settlementOffer.create({
      data: { id, ...same, signature, counterSignature: isGift ? '0x' : null, state, createdAt: tx.clock.now() },
    })
    await appendAudit(tx, {
      stream: holdAuditStreamName(goalId),
      action: 'settlement_offer.make',
      after: { settlement_offer_id: id, step, party, payee_bps: payeeBps, deadline },
    })
    await enqueue(tx, { type: isGift ? 'settlement_offer.accepting' : 'settlement_offer.made', goal_id: goalId, settlement_offer_id: id })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { settlement_offer_id: id, state }
  })
}

type OfferContent = Pick<SettlementOffer, 'goalId' | 'step' | 'party' | 'payeeBps' | 'deadline' | 'charterVersion'>

/** The offer with this content that has not lapsed. */
async function findStanding(ctx: Context, content: OfferContent): Promise<{ settlement_offer_id: string; state: string } | null> {
  const offer = await ctx.db.settlementOffer.findFirst({ where: { ...content, state: { not: 'lapsed' } } })
  return offer && { settlement_offer_id: offer.id, state: offer.state }
}

/** @throws dispute.wrong_state, settlement_offer.wrong_state */
export function requireOfferable({ hold, payout }: EscrowedStep, deadline: number, now: number): void {
  if (!openStates.includes(payout.state) || 'settledTx' in hold)
    throw stepNotDisputable('The step is already paid or ended.', { step: payout.step, state: payout.state })
  if (deadline <= now) throw offerDeadlineInvalid(deadline, now, hold.terms.expiry)
  requireBeforeExpiry({ hold }, deadline, now)
}

/** @throws settlement_offer.wrong_state */
function requireBeforeExpiry({ hold }: Pick<EscrowedStep, 'hold'>, deadline: number, now: number): void {
  if (deadline > hold.terms.expiry) throw offerDeadlineInvalid(deadline, now, hold.terms.expiry)
}
