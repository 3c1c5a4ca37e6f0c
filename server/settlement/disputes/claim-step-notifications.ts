import type { Context } from '../../context.ts'

/** A step change that chain events have shown and that its conversation does not know yet. */
export type StepNotification = { readonly step: number; readonly tx: string } & (
  | { readonly kind: 'dispute.opened'; readonly disputeId: string; readonly by: string; readonly evidenceHash: string }
  | { readonly kind: 'dispute.ruled'; readonly disputeId: string; readonly payeeBps: number; readonly rulingHash: string }
  | { readonly kind: 'settlement_offer.accepted'; readonly payeeBps: number }
)

/** Claims each notification once. The caller publishes it in the same transaction. */
export async function claimStepNotifications(tx: Context, goalId: string): Promise<StepNotification[]> {
  const news: StepNotification[] = []
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
