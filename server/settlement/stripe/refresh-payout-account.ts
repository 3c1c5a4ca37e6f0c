import { actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import type { CardAccount } from '../../ports.ts'
import { sendSignal } from '../../signals/signal.ts'
import { listCardPayments } from './card-payment-store.ts'
import { requireCardRail } from './lock-card-hold.ts'
import { processCardPayment } from './process-card-payment.ts'

/** Stores the state of a Stripe account. A person's first account stays. */
export async function savePayoutAccount(ctx: Context, ownerId: string, account: CardAccount): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await tx.db.payoutAccount.updateMany({
      where: { ownerId, OR: [{ accountId: null }, { accountId: account.id }] },
      data: {
        accountId: account.id,
        state: account.isReady ? 'ready' : 'incomplete',
        requirements: [...account.requirements],
        updatedAt: tx.clock.now(),
      },
    })
    await sendSignal(tx, { topic: 'market', id: 'accounts' })
  })
}

/** Refreshes an account and sends the shares that waited for it. Ignores unknown accounts. */
export async function refreshPayoutAccount(ctx: Context, accountId: string): Promise<void> {
  const system = actingAs(ctx, { kind: 'system', name: 'jobs' })
  const known = await system.db.payoutAccount.findUnique({ where: { accountId } })
  if (!known) return
  const account = await requireCardRail(system).getAccount(accountId)
  await savePayoutAccount(system, known.ownerId, account)
  if (account.isReady) await sendShares(system, known.ownerId)
}

/** As `refreshPayoutAccount`, by owner. Does nothing if the owner has no account. */
export async function refreshOwnAccount(ctx: Context, ownerId: string): Promise<void> {
  const known = await ctx.db.payoutAccount.findUnique({ where: { ownerId } })
  if (known?.accountId) await refreshPayoutAccount(ctx, known.accountId)
}

async function sendShares(ctx: Context, ownerId: string): Promise<void> {
  for (const { id } of await listCardPayments(ctx, { ownerId, kind: 'transfer', state: 'intent' })) await processCardPayment(ctx, id)
}

/** Records that Stripe could not pay out to the publisher's bank. The publisher must correct it; earlier transfers stay. */
export async function recordPayoutFailure(ctx: Context, accountId: string): Promise<void> {
  await refreshPayoutAccount(ctx, accountId)
  const want = 'bank_account: the last payout to the bank failed'
  const known = await ctx.db.payoutAccount.findUnique({ where: { accountId } })
  if (known && !known.requirements.includes(want))
    await ctx.db.payoutAccount.update({
      where: { accountId },
      data: { requirements: [...known.requirements, want], updatedAt: ctx.clock.now() },
    })
}
