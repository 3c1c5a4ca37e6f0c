import type { CardHold as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import type { CardRail } from '../../ports.ts'
import { cardsNotSupported } from '../errors.ts'
import { type CardHold, requireCardHold } from '../holds/hold.ts'
import { lockHold } from '../holds/hold-store.ts'

/** Locks the hold and its card payment. @throws hold.wrong_rail */
export async function lockCardHold(tx: Context, goalId: string): Promise<{ hold: CardHold; card: Row }> {
  const hold = requireCardHold(await lockHold(tx, goalId))
  return { hold, card: await tx.db.cardHold.findUniqueOrThrow({ where: { goalId } }) }
}

/** @throws hold.card_unavailable if this market takes no cards */
export function requireCardRail(ctx: Context): CardRail {
  if (!ctx.ports.cards) throw cardsNotSupported()
  return ctx.ports.cards
}

/** The payment of a funded hold. */
export function requireCharge(card: Row): { paymentIntent: string; charge: string } {
  const { paymentIntent, charge } = card
  if (paymentIntent === null || charge === null) throw new Error(`the hold of ${card.goalId} has no payment`)
  return { paymentIntent, charge }
}

/** Whether the client's bank has taken, or may take, the payment back (chargeback). Then nothing is paid out. */
export function hasChargeback(card: Row): boolean {
  return card.dispute === 'open' || card.dispute === 'lost'
}
