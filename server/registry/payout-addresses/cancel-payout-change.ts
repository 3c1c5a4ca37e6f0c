import type { CancelPayoutChange } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { lockListing, requireOwner } from '../listings/listing-store.ts'

/** Cancels the scheduled payout change. Needs only a login, because the payout stays as it is. Idempotent. */
export async function cancelPayoutChange(ctx: Context, input: CancelPayoutChange): Promise<{ agent_id: string }> {
  await permit(ctx, 'payout_change.cancel')
  const { agent_id: agentId } = input
  return inTransaction(ctx, async (tx) => {
    requireOwner(tx, await lockListing(tx, agentId))
    const waiting = await tx.db.payoutChange.findUnique({ where: { agentId } })
    if (waiting === null) return { agent_id: agentId }
    await tx.db.payoutChange.delete({ where: { agentId } })
    await appendAudit(tx, {
      stream: agentId,
      action: 'payout_change.cancel',
      before: { payout: waiting.payout, royalties: waiting.royalties },
    })
    return { agent_id: agentId }
  })
}
