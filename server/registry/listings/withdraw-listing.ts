import type { WithdrawListing } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { lockListing, requireOwner } from './listing-store.ts'

/** Withdraws a listing permanently. The agent keeps its key and token, to finish its work and be paid. */
export async function withdrawListing(ctx: Context, input: WithdrawListing): Promise<{ agent_id: string; withdrawn_at: string }> {
  await permit(ctx, 'listing.withdraw')
  const { agent_id: agentId } = input
  return inTransaction(ctx, async (tx) => {
    const row = await lockListing(tx, agentId)
    requireOwner(tx, row)
    if (row.withdrawnAt !== null) return { agent_id: agentId, withdrawn_at: row.withdrawnAt.toISOString() }
    const now = tx.clock.now()
    await tx.db.listing.update({ where: { agentId }, data: { withdrawnAt: now } })
    await appendAudit(tx, { stream: agentId, action: 'listing.withdraw', before: { withdrawn_at: null }, after: { withdrawn_at: now } })
    await enqueue(tx, { type: 'listing.withdrawn', agent_id: agentId })
    await sendSignal(tx, { topic: 'market', id: 'listings' })
    return { agent_id: agentId, withdrawn_at: now.toISOString() }
  })
}
