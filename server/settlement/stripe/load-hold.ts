import type { CardHold as Row } from '../../../prisma/client/client.ts'
import type { Context } from '../../context.ts'
import type { CardRail } from '../../ports.ts'
import { cardsNotSupported } from '../errors.ts'
import { type CardHold, onCard } from '../holds/hold.ts'
import { lockHold } from '../holds/hold-store.ts'

/** The hold, locked, with what Stripe has said of its payment. @throws hold.wrong_rail */
export async function lockCardHold(tx: Context, goalId: string): Promise<{ hold: CardHold; card: Row }> {
  const hold = onCard(await lockHold(tx, goalId))
  return { hold, card: await tx.db.cardHold.findUniqueOrThrow({ where: { goalId } }) }
}

/** @throws hold.card_unavailable where this market takes no cards */
export function requireCardRail(ctx: Context): CardRail {
  if (!ctx.ports.cards) throw cardsNotSupported()
  return ctx.ports.cards
}

/** What only a funded hold is asked for. */
export function requirePayment(card: Row): { paymentIntent: string; charge: string } {
  const { paymentIntent, charge } = card
  if (paymentIntent === null || charge === null) throw new Error(`the hold of ${card.goalId} is funded by nothing`)
  return { paymentIntent, charge }
}

/** Nothing is paid out of money that the client's bank may take back, or has taken. */
export function isContested(card: Row): boolean {
  return card.dispute === 'open' || card.dispute === 'lost'
}
