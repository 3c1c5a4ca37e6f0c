import type { SilenceOutcome } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { requireEscrowHold } from '../holds/hold.ts'
import { loadHold } from '../holds/hold-store.ts'
import { silenceOutcomeOfTerms } from '../holds/silence-outcome-mapping.ts'

/** A step change that chain events have shown and that its conversation does not know yet. */
export type StepNotification = { readonly step: number; readonly tx: string } & (
  | { readonly kind: 'dispute.opened'; readonly disputeId: string; readonly by: string; readonly evidenceHash: string }
  | { readonly kind: 'dispute.ruled'; readonly disputeId: string; readonly payeeBps: number; readonly rulingHash: string }
  | { readonly kind: 'settlement_offer.accepted'; readonly payeeBps: number }
  | { readonly kind: 'step.submitted'; readonly payee: string; readonly payableAt: Date; readonly outcome: SilenceOutcome }
)

/** Claims each notification once. The caller publishes it in the same transaction. */
export async function takeUnsentStepNotifications(tx: Context, goalId: string): Promise<StepNotification[]> {
  const news: StepNotification[] = await claimSubmissions(tx, goalId)
  const disputes = await tx.db.dispute.findMany({ where: { goalId, openedTx: { not: null } }, orderBy: { step: 'asc' } })
  for (const { id, step, by, evidenceHash, notifiedState, state, openedTx, closedTx, payeeBps, rulingHash } of disputes) {
    if (notifiedState === null && openedTx) news.push({ kind: 'dispute.opened', step, tx: openedTx, disputeId: id, by, evidenceHash })
    if (state === 'ruled' && notifiedState !== 'ruled' && closedTx)
      news.push({ kind: 'dispute.ruled', step, tx: closedTx, disputeId: id, payeeBps: payeeBps ?? 0, rulingHash: rulingHash ?? '' })
    const next = state === 'ruled' ? ('ruled' as const) : ('open' as const)
    if (notifiedState !== next) await tx.db.dispute.update({ where: { id }, data: { notifiedState: next } })
  }
  const offers = await tx.db.settlementOffer.findMany({ where: { goalId, state: 'accepted', isNotified: false }, orderBy: { id: 'asc' } })
  for (const { step, payeeBps, tx: hash } of offers) news.push({ kind: 'settlement_offer.accepted', step, tx: hash ?? '', payeeBps })
  await tx.db.settlementOffer.updateMany({ where: { id: { in: offers.map((offer) => offer.id) } }, data: { isNotified: true } })
  return news
}

async function claimSubmissions(tx: Context, goalId: string): Promise<StepNotification[]> {
  const where = { goalId, state: { not: 'replaced' }, submittedTx: { not: null }, isSubmissionNotified: false } as const
  const submitted = await tx.db.payout.findMany({ where, orderBy: { step: 'asc' } })
  if (submitted.length === 0) return []
  await tx.db.payout.updateMany({ where: { id: { in: submitted.map(({ id }) => id) } }, data: { isSubmissionNotified: true } })
  const { terms } = requireEscrowHold(await loadHold(tx, goalId))
  const later = { payableAt: new Date(terms.reviewBy * 1_000), outcome: silenceOutcomeOfTerms(terms) }
  return submitted.map(({ step, payee, submittedTx }) => ({ kind: 'step.submitted', step, tx: submittedTx ?? '', payee, ...later }))
}
