import { personDid } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { cardAccounts, postCardTransfer } from '../ledger/post-card-transfer.ts'
import { type CardPayment, refundCreditKey } from './card-payment.ts'
import { getCardPayment, listCardPayments, requestCardPayment } from './card-payment-store.ts'
import { closeCardHold } from './close-card-hold.ts'
import { claimDeadline, creditAccount } from './credit-share-without-payout-account.ts'
import { hasChargeback, lockCardHold } from './lock-card-hold.ts'

/** Refunds that failed permanently and were not credited yet. */
export async function listFailedRefunds(ctx: Context): Promise<CardPayment[]> {
  const failed = await listCardPayments(ctx, { kind: 'refund', state: 'failed_final', card: { dispute: null } }, 200)
  const won = await listCardPayments(ctx, { kind: 'refund', state: 'failed_final', card: { dispute: 'won' } }, 200)
  const all = [...failed, ...won]
  const credited = await ctx.db.cardPayment.findMany({ where: { key: { in: all.map(refundCreditKey) } }, select: { key: true } })
  const done = new Set(credited.map(({ key }) => key))
  return all.filter((refund) => !done.has(refundCreditKey(refund)))
}

/**
 * Credits a permanently failed refund to the client, for example because the card was closed. The credit is transferred when the
 * client has a payout account. So the hold closes without an operator. A posted refund can also fail days later. Then the client's
 * account pays the credit.
 */
export async function creditFailedRefund(ctx: Context, input: Pick<CardPayment, 'id' | 'goalId'>): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { hold, card } = await lockCardHold(tx, input.goalId)
    const refund = await getCardPayment(tx, input.id)
    const isReturned = refund.state === 'posted'
    if (refund.kind !== 'refund' || (refund.state !== 'failed_final' && !isReturned) || hasChargeback(card)) return
    const key = refundCreditKey(refund)
    if ((await listCardPayments(tx, { key })).length > 0) return
    const ownerId = personDid(tx.market.chainId, hold.terms.client)
    const [paid] = await listCardPayments(tx, { goalId: refund.goalId, kind: 'checkout', paidIntent: refund.subject })
    await postCardTransfer(tx, {
      key,
      goalId: refund.goalId,
      memo: 'A refund could not reach the card: the money is the client’s credit.',
      tx: refund.objectId ?? card.charge ?? '',
      moves: [
        {
          from: isReturned
            ? (`client:${hold.terms.client}` as const)
            : refund.ownerId === null
              ? cardAccounts(refund.goalId).held
              : creditAccount(refund.ownerId),
          to: creditAccount(ownerId),
          cents: refund.cents,
        },
      ],
    })
    await requestCardPayment(tx, {
      key,
      kind: 'transfer',
      goalId: refund.goalId,
      cents: refund.cents,
      ownerId,
      subject: paid?.paidCharge ?? card.charge ?? '',
      claimBy: claimDeadline(tx.clock.now()),
    })
    await closeCardHold(tx, refund.goalId)
  })
}
