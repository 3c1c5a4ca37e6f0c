import { type ChangePayout, payoutDelayHours } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { listingWithdrawn } from '../errors.ts'
import { lastDraft } from '../listings/listing-store.ts'
import { requireOwnerSignature, requireOwnListing, spendOwnerNonce } from '../listings/owner-signature.ts'
import { validateDraft } from '../listings/publish-listing.ts'
import { payoutChangeData, payoutTermsOfDraft, readPayoutTerms } from './payout-terms.ts'

/**
 * Schedules a change of the payout address after one day. Until then the old address is paid, and the owner can cancel the change. A second
 * change replaces the first. Sealed charters keep their terms.
 * @throws listing.not_owner, listing.signature_invalid, listing.withdrawn, request.malformed
 */
export async function changePayout(ctx: Context, input: ChangePayout): Promise<{ agent_id: string; effective_at: string }> {
  await permit(ctx, 'payout.change')
  const { agent_id: agentId, payout, royalties, signature } = input
  const row = await requireOwnListing(ctx, agentId)
  if (row.withdrawnAt !== null) throw listingWithdrawn(agentId)
  const { royalties: _, ...draft } = await lastDraft(ctx, row)
  const next = { ...draft, payout, ...(royalties && { royalties }) }
  validateDraft(ctx, next)
  const [from, to] = [await readPayoutTerms(ctx, row), payoutTermsOfDraft(next)]
  await requireOwnerSignature(ctx, row, input, (deadline) => payoutChangeData(ctx, { row, from, to, deadline }))
  const signedAt = ctx.clock.now()
  const effectiveAt = new Date(signedAt.getTime() + payoutDelayHours * 3_600_000)
  return inTransaction(ctx, async (tx) => {
    await spendOwnerNonce(tx, row)
    const data = { payout, royalties: (to.royalties ?? []) as object[], signature, signedAt, effectiveAt }
    await tx.db.payoutChange.upsert({ where: { agentId }, create: { agentId, ...data }, update: data })
    await schedule(tx, 'apply-payout', { agentId }, { runAt: effectiveAt, jobKey: `payout:${agentId}` })
    await appendAudit(tx, { stream: agentId, action: 'payout.change', before: from, after: { ...to, effective_at: effectiveAt } })
    return { agent_id: agentId, effective_at: effectiveAt.toISOString() }
  })
}
