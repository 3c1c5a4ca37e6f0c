import { addressOf, type PersonDid } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { getListing } from '../../registry/index.ts'
import type { LedgerAccount } from '../ledger/ledger.ts'
import { cardAccounts, postCardTransfer } from '../ledger/post-card-transfer.ts'
import { advancePayment, type CardPayment } from './card-payment.ts'
import { getCardPayment, saveCardPayment } from './card-payment-store.ts'
import { closeCardHold, markPayoutsPaid } from './close-card-hold.ts'
import { lockCardHold, requireCharge } from './lock-card-hold.ts'

/** Days that a share waits for a payout account before it is refunded to the client. */
export const claimDays = 60
const dayMs = 86_400_000

/** Owners are people, and their DIDs contain their wallet addresses. */
export function payeeAccount(ownerId: string): LedgerAccount {
  return `payee:${addressOf(ownerId as PersonDid)}`
}

export function creditAccount(ownerId: string): LedgerAccount {
  return `credit:${addressOf(ownerId as PersonDid)}`
}

export function claimDeadline(now: Date): Date {
  return new Date(now.getTime() + claimDays * dayMs)
}

/** The publisher of each agent with steps of the goal. */
export async function listOwners(tx: Context, goalId: string): Promise<Map<string, string>> {
  const payouts = await tx.db.payout.findMany({ where: { goalId, state: { not: 'replaced' } }, select: { agentId: true } })
  const owners = new Map<string, string>()
  for (const { agentId } of payouts) if (!owners.has(agentId)) owners.set(agentId, (await getListing(tx, agentId)).owner_id)
  return owners
}

/** The agents of the owner whose steps a share pays. */
export async function listAgentsOfOwner(tx: Context, payment: Pick<CardPayment, 'ownerId' | 'goalId'>): Promise<string[]> {
  const owners = await listOwners(tx, payment.goalId)
  return [...owners].flatMap(([agentId, ownerId]) => (ownerId === payment.ownerId ? [agentId] : []))
}

/** Turns a share into its publisher's credit, because the publisher has no payout account yet. */
export async function creditShareWithoutPayoutAccount(
  tx: Context,
  share: { goalId: string; ownerId: string; cents: bigint; charge: string },
): Promise<void> {
  const { goalId, ownerId, cents, charge } = share
  await postCardTransfer(tx, {
    key: `credit:${goalId}:${ownerId}`,
    goalId,
    memo: 'A share waits for its publisher to add a payout account.',
    tx: charge,
    moves: [{ from: cardAccounts(goalId).held, to: creditAccount(ownerId), cents }],
  })
  await markPayoutsPaid(tx, { goalId, agentIds: await listAgentsOfOwner(tx, share), from: ['paying'], to: 'credited', by: charge })
}

/** Stripe cannot transfer to the account. The share waits again, and the account is marked incomplete. */
export async function waitForPayoutAccount(ctx: Context, input: CardPayment, sentence: string): Promise<CardPayment> {
  return inTransaction(ctx, async (tx) => {
    const { card } = await lockCardHold(tx, input.goalId)
    const payment = await getCardPayment(tx, input.id)
    if (payment.state !== 'submitted' || payment.ownerId === null) return payment
    await tx.db.payoutAccount.updateMany({ where: { ownerId: payment.ownerId }, data: { state: 'incomplete', updatedAt: tx.clock.now() } })
    const claimBy = payment.claimBy ?? claimDeadline(tx.clock.now())
    const next = advancePayment(payment, { type: 'put_back', sentence, claimBy })
    if (!next) return payment
    if (!payment.claimBy)
      await creditShareWithoutPayoutAccount(tx, {
        goalId: payment.goalId,
        ownerId: payment.ownerId,
        cents: payment.cents,
        charge: requireCharge(card).charge,
      })
    const back = await saveCardPayment(tx, payment, next)
    await closeCardHold(tx, payment.goalId)
    return back
  })
}
