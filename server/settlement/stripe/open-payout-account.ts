import type { OpenPayoutAccount } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { accountNotSigned } from '../errors.ts'
import { requireCardRail } from './lock-card-hold.ts'
import { requireAccountSignature, requirePerson } from './payout-account-terms.ts'
import { savePayoutAccount } from './refresh-payout-account.ts'

/**
 * Opens the person's Stripe account once, and returns the onboarding link. The wallet signs each time: who completes the page
 * names the bank account, so a login alone must not open it. Stripe reports later whether the account can receive payouts.
 * Waiting shares are sent then.
 * @throws payout.signature_invalid, hold.card_unavailable; permission.denied for all but people
 */
export async function openPayoutAccount(ctx: Context, input: OpenPayoutAccount): Promise<{ url: string }> {
  await permit(ctx, 'payout_account.open')
  const owner = requirePerson(ctx)
  await requireAccountSignature(ctx, owner, input)
  const cards = requireCardRail(ctx)
  const account = await consumeSignature(ctx, owner, new Date(input.deadline * 1_000))
  let { accountId } = account
  if (accountId === null) {
    // A second account would be harmless, because the first never received money. So an expired idempotency key does not matter.
    const made = await cards.openAccount(
      { ownerId: owner.did, name: `Parley publisher ${owner.address.slice(0, 10)}` },
      account.idempotencyKey,
    )
    accountId = made.id
    await savePayoutAccount(ctx, owner.did, made)
  }
  return { url: await cards.accountLink(accountId, `${ctx.market.publicUrl}/payouts`) }
}

/** Opens the record of the account where there is none, and uses the signature up. Replay protection: a later deadline each time. */
async function consumeSignature(ctx: Context, owner: { readonly did: string; readonly address: string }, signedUntil: Date) {
  const ownerId = owner.did
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now()
    const { count } = await tx.db.payoutAccount.createMany({
      data: [{ ownerId, state: 'opening', idempotencyKey: tx.ids.uuid(), openedAt: now, signedUntil, updatedAt: now }],
      skipDuplicates: true,
    })
    if (count > 0) await appendAudit(tx, { stream: `account:${ownerId}`, action: 'payout_account.open', after: { owner: ownerId } })
    else {
      const where = { ownerId, OR: [{ signedUntil: null }, { signedUntil: { lt: signedUntil } }] }
      const used = await tx.db.payoutAccount.updateMany({ where, data: { signedUntil } })
      if (used.count === 0) throw accountNotSigned(owner.address)
    }
    return tx.db.payoutAccount.findUniqueOrThrow({ where: { ownerId } })
  })
}
