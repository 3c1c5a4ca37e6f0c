import type { OpenPayoutAccount } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { accountNotPerson } from '../errors.ts'
import { requireCardRail } from './load-hold.ts'
import { saveAccount } from './payout-accounts.ts'

/**
 * Opens the person's Stripe account once, and returns the onboarding link. Stripe reports later whether it can receive payouts.
 * Waiting shares are sent then.
 */
export async function openPayoutAccount(ctx: Context, _input: OpenPayoutAccount): Promise<{ url: string }> {
  await permit(ctx, 'payout-account.open')
  const { actor } = ctx
  if (actor.kind !== 'person') throw accountNotPerson(actor.kind)
  const cards = requireCardRail(ctx)
  const ownerId = actor.did
  const account = await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now()
    const { count } = await tx.db.payoutAccount.createMany({
      data: [{ ownerId, state: 'opening', openKey: tx.ids.uuid(), openedAt: now, updatedAt: now }],
      skipDuplicates: true,
    })
    if (count > 0) await appendAudit(tx, { chain: `account:${ownerId}`, action: 'payout-account.open', after: { owner: ownerId } })
    return tx.db.payoutAccount.findUniqueOrThrow({ where: { ownerId } })
  })
  let { accountId } = account
  if (accountId === null) {
    // A second account would be harmless, because the first never received money. So an expired idempotency key does not matter.
    const made = await cards.openAccount({ ownerId, name: `Parley publisher ${actor.address.slice(0, 10)}` }, account.openKey)
    accountId = made.id
    await saveAccount(ctx, ownerId, made)
  }
  return { url: await cards.accountLink(accountId, `${ctx.market.publicUrl}/payouts`) }
}
