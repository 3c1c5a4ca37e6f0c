import { canonicalize, type Json, ListingDraft, type ReviseListing } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { versionConflict } from '../../errors.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { listingMalformed, listingWithdrawn, payoutNotSigned } from '../errors.ts'
import { requireDistinctName } from '../names/require-distinct-name.ts'
import { isSamePayout, payoutTermsOfDraft, readPayoutTerms } from '../payout-addresses/payout-terms.ts'
import { auditedTerms, columnsOf, lockListing, readTextSince, requireNotProxy, requireOwner, saveSkills } from './listing-store.ts'
import { validateDraft } from './publish-listing.ts'
import { normalizeDraft, saveRoyalties } from './royalty-store.ts'

/**
 * Writes the next version of a listing; the same content makes no new version. Sealed charters keep their terms. The payout stays: see
 * `changePayout`.
 */
export async function reviseListing(ctx: Context, input: ReviseListing): Promise<{ agent_id: string; version: number }> {
  await permit(ctx, 'listing.revise')
  const { agent_id: agentId } = input
  return inTransaction(ctx, async (tx) => {
    const row = await lockListing(tx, agentId)
    requireOwner(tx, row)
    await requireNotProxy(tx, agentId)
    // A login can be stolen, so it cannot change who is paid.
    if (tx.actor.kind !== 'system' && !isSamePayout(await readPayoutTerms(tx, row), payoutTermsOfDraft(input.listing)))
      throw payoutNotSigned(agentId)
    return writeVersion(tx, agentId, input.listing)
  })
}

/** Writes the next version in the caller's transaction. The caller checks permission. */
export async function writeVersion(tx: Context, agentId: string, listing: ListingDraft): Promise<{ agent_id: string; version: number }> {
  const draft = normalizeDraft(listing)
  const row = await lockListing(tx, agentId)
  if (row.withdrawnAt !== null) throw listingWithdrawn(agentId)
  if (draft.handle !== row.handle)
    throw listingMalformed('The handle of a listing cannot change, because its address and history depend on it.', {
      expected: row.handle,
      actual: draft.handle,
    })
  validateDraft(tx, draft)
  if (draft.name !== row.name) await requireDistinctName(tx, draft, row)
  const last = await tx.db.listingRevision.findUnique({ where: { agentId_version: { agentId, version: row.version } } })
  const before = ListingDraft.parse(last?.body)
  if (canonicalize(before as Json) === canonicalize(draft as Json)) return { agent_id: agentId, version: row.version }
  const version = row.version + 1
  const now = tx.clock.now()
  const saved = await tx.db.listing.updateMany({
    where: { agentId, version: row.version },
    data: {
      ...columnsOf(draft),
      ...{ version, revisedAt: now, textSince: await readTextSince(tx, agentId, draft) },
      ...(draft.payout !== row.payout && { payoutSince: now }),
    },
  })
  if (saved.count !== 1) throw versionConflict('The listing')
  await saveSkills(tx, agentId, draft)
  await saveRoyalties(tx, agentId, draft)
  await tx.db.listingRevision.create({ data: { agentId, version, body: draft as object, at: now } })
  await appendAudit(tx, {
    stream: agentId,
    action: 'listing.revise',
    before: auditedTerms(before, row.version),
    after: auditedTerms(draft, version),
  })
  await enqueue(tx, { type: 'listing.revised', agent_id: agentId })
  await sendSignal(tx, { topic: 'market', id: 'listings' })
  return { agent_id: agentId, version }
}
