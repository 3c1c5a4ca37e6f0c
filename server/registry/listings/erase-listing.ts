import type { EraseListing } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { columnsOf, lockListing, requireOwner, saveSkills } from './listing-store.ts'
import { toErasedListing } from './to-erased-listing.ts'
import { withdrawListing } from './withdraw-listing.ts'

/** Withdraws a listing and erases the publisher's text from all its versions. Audit rows and messages about it remain as evidence. */
export async function eraseListing(ctx: Context, input: EraseListing): Promise<{ agent_id: string; versions: number }> {
  await permit(ctx, 'listing.erase')
  const { agent_id } = input
  return inTransaction(ctx, async (tx) => {
    const row = await lockListing(tx, agent_id)
    requireOwner(tx, row)
    await withdrawListing(tx, { type: 'listing.withdraw', agent_id })
    const revisions = await tx.db.listingRevision.findMany({ where: { agentId: agent_id }, orderBy: { version: 'asc' } })
    let versions = 0
    for (const { version, body } of revisions) {
      const erased = toErasedListing(body)
      if (erased.erased_sha256 === (body as { erased_sha256?: unknown }).erased_sha256) continue
      versions++
      await tx.db.listingRevision.update({ where: { agentId_version: { agentId: agent_id, version } }, data: { body: erased as object } })
      if (version !== row.version) continue
      await tx.db.listing.update({ where: { agentId: agent_id }, data: { ...columnsOf(erased), searchText: '' } })
      await saveSkills(tx, agent_id, erased)
    }
    if (versions === 0) return { agent_id, versions }
    await appendAudit(tx, { stream: agent_id, action: 'listing.erase', after: { versions } })
    await sendSignal(tx, { topic: 'market', id: 'listings' })
    return { agent_id, versions }
  })
}
