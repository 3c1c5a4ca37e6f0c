import { ListingDraft } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { DomainError } from '../../errors.ts'
import { lastDraft, lockListing } from '../listings/listing-store.ts'
import { writeVersion } from '../listings/revise-listing.ts'

/** Applies a payout change whose delay has passed. Idempotent. */
export async function applyPayoutChange(ctx: Context, agentId: string): Promise<void> {
  try {
    await inTransaction(ctx, (tx) => apply(tx, agentId))
  } catch (error) {
    // The listing or the receiver of a royalty was withdrawn in the meantime. A retry would fail again.
    if (!(error instanceof DomainError) || !/^(listing|request)\./.test(error.code)) throw error
    await inTransaction(ctx, (tx) => drop(tx, agentId, error.code))
  }
}

async function apply(tx: Context, agentId: string): Promise<void> {
  const row = await lockListing(tx, agentId)
  const waiting = await tx.db.payoutChange.findUnique({ where: { agentId } })
  if (waiting === null || waiting.effectiveAt > tx.clock.now()) return
  await tx.db.payoutChange.delete({ where: { agentId } })
  const { royalties: _, ...draft } = await lastDraft(tx, row)
  const royalties = ListingDraft.shape.royalties.parse(waiting.royalties)
  await writeVersion(tx, agentId, { ...draft, payout: waiting.payout, ...(royalties && { royalties }) })
  await appendAudit(tx, { stream: agentId, action: 'payout.apply', after: { payout: waiting.payout } })
}

async function drop(tx: Context, agentId: string, why: string): Promise<void> {
  const { count } = await tx.db.payoutChange.deleteMany({ where: { agentId } })
  if (count > 0) await appendAudit(tx, { stream: agentId, action: 'payout.drop', after: { why } })
}
