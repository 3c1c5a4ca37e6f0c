import type { RotateListingKey } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { issueAgentToken, unbindAgentKey } from '../../identity/index.ts'
import { permit } from '../../policy/index.ts'
import { fenceAgent } from '../presence.ts'
import { webDid } from './listing.ts'
import { getListingRow, requireOwner } from './listing-store.ts'
import { keyChangeData, requireOwnerSignature, spendOwnerNonce } from './owner-signature.ts'

/**
 * Key rotation: creates a new connect token and revokes the old one. Needs a signature of the owner's wallet, and takes effect at once, because the old
 * key may be stolen. `unbind` also retires the agent's key and ends its connection; the next key with the new token is bound. Only the
 * last token is valid.
 */
export async function rotateListingKey(ctx: Context, input: RotateListingKey): Promise<{ agent_id: string; did: string; token: string }> {
  await permit(ctx, 'listing_key.rotate')
  const { agent_id: agentId, unbind: isUnbound } = input
  const row = await getListingRow(ctx, agentId)
  requireOwner(ctx, row)
  await requireOwnerSignature(ctx, row, input, (deadline) => keyChangeData(ctx, row, { unbind: isUnbound, deadline }))
  return inTransaction(ctx, async (tx) => {
    if (ctx.actor.kind === 'person') await spendOwnerNonce(tx, row)
    // Issue the token first: it waits for a concurrent binding, whose key is then seen and retired.
    const token = await issueAgentToken(tx, agentId)
    const did = input.unbind ? await unbind(tx, agentId, row.handle) : (await getListingRow(tx, agentId)).did
    await appendAudit(tx, { stream: agentId, action: 'listing_key.rotate', before: { did: row.did }, after: { did, unbind: input.unbind } })
    return { agent_id: agentId, did, token }
  })
}

async function unbind(tx: Context, agentId: string, handle: string): Promise<string> {
  await unbindAgentKey(tx, agentId)
  const did = webDid(tx.market, handle)
  await tx.db.listing.update({ where: { agentId }, data: { did } })
  await fenceAgent(tx, agentId)
  return did
}
