import { canFollow, type SettlementOfferState, settlementOfferTransitions } from '@parley/protocol'
import type { SettlementOffer } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import { offerNotFound, offerWrongState } from '../errors.ts'

/** @throws settlement_offer.wrong_state */
export function requireSettlementOfferTransition(from: SettlementOfferState, to: SettlementOfferState, action: string): void {
  if (!canFollow(settlementOfferTransitions, from, to)) throw offerWrongState(from, action)
}

/** Locks the offer until this transaction ends. @throws settlement_offer.not_found */
export async function lockSettlementOffer(tx: Context, id: string): Promise<SettlementOffer> {
  await tx.db.$queryRaw`select 1 from "settlement_offer" where "id" = ${id} for update`
  const row = await tx.db.settlementOffer.findUnique({ where: { id } })
  if (!row) throw offerNotFound(id)
  return row
}

/** @throws settlement_offer.wrong_state */
export async function transitionSettlementOffer(
  tx: Context,
  offer: SettlementOffer,
  to: SettlementOfferState,
  change: Partial<Pick<SettlementOffer, 'failure' | 'tx' | 'counterSignature' | 'counterSignedAt'>> = {},
): Promise<SettlementOffer> {
  requireSettlementOfferTransition(offer.state, to, `become ${to}`)
  return tx.db.settlementOffer.update({ where: { id: offer.id }, data: { ...change, state: to } })
}
