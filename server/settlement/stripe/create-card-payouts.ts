import type { Context } from '../../context.ts'
import { hasStep, isSettling } from '../holds/hold.ts'
import { allocateCents, wholeCents } from '../ledger/allocate-cents.ts'
import { requestCardPayment } from './card-payment-store.ts'
import { closeCardHold, listSettlementPayments } from './close-card-hold.ts'
import { claimDeadline, creditShareWithoutPayoutAccount, listOwners } from './credit-share-without-payout-account.ts'
import { lockCardHold, requireCharge } from './lock-card-hold.ts'

/**
 * Creates the payouts of a settlement once: one transfer per publisher, and a partial refund of the rest. The amounts are then fixed. A
 * share without a payout account becomes its publisher's credit.
 */
export async function createCardPayouts(tx: Context, goalId: string, isExpired = false): Promise<void> {
  const { hold, card } = await lockCardHold(tx, goalId)
  const isReclaim = isExpired && hold.state === 'authorized'
  if (!isSettling(hold) && !isReclaim) return
  if ((await listSettlementPayments(tx, goalId)).length > 0) return
  const { paymentIntent, charge } = requireCharge(card)
  const cents = wholeCents(hold.terms.total)
  if (hold.state !== 'capturing') {
    const key = isReclaim ? `reclaim:${goalId}` : `refund:${goalId}`
    await requestCardPayment(tx, { key, kind: 'refund', goalId, cents, subject: paymentIntent })
    return
  }
  const owed = await amountsOwed(tx, goalId, hold)
  const { shares, refund } = allocateCents(cents, hold.terms.feeBps, owed)
  for (const [ownerId, share] of shares) {
    if (share === 0n) continue
    const account = await tx.db.payoutAccount.findUnique({ where: { ownerId } })
    const isReady = account?.state === 'ready'
    const want = { key: `transfer:${goalId}:${ownerId}`, kind: 'transfer' as const, goalId, cents: share, ownerId }
    await requestCardPayment(tx, isReady ? want : { ...want, claimBy: claimDeadline(tx.clock.now()) })
    if (!isReady) await creditShareWithoutPayoutAccount(tx, { goalId, ownerId, cents: share, charge })
  }
  if (refund > 0n) await requestCardPayment(tx, { key: `refund:${goalId}`, kind: 'refund', goalId, cents: refund, subject: paymentIntent })
  await closeCardHold(tx, goalId)
}

/** Amount per publisher for the steps to pay, in base units. */
async function amountsOwed(tx: Context, goalId: string, { bits, halves }: { bits: bigint; halves: bigint }): Promise<Map<string, bigint>> {
  const owners = await listOwners(tx, goalId)
  const payouts = await tx.db.payout.findMany({ where: { goalId, state: { not: 'replaced' } } })
  const owed = new Map<string, bigint>()
  for (const { step, agentId, amount } of payouts) {
    if (!hasStep(bits, step)) continue
    const paid = hasStep(halves, step) ? amount / 2n : amount
    const ownerId = owners.get(agentId) ?? ''
    owed.set(ownerId, (owed.get(ownerId) ?? 0n) + paid)
  }
  return owed
}
