import type { RekeyListing } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { issueToken, unbindKey } from '../../identity/index.ts'
import { permit } from '../../policy/index.ts'
import { fenceAgent } from '../presence.ts'
import { webDid } from './listing.ts'
import { keyChangeData, requireOwnerSignature, spendOwnerNonce } from './owner-signature.ts'
import { getListingRow, requireOwner } from './store.ts'

/**
 * Makes a new connect token; the old one ends. It needs a signature of the owner's wallet, and happens at once: a key that others
 * know must not speak for another day. With `unbind` the agent's key is retired and its connection ends, and the
 * next key that comes with the new token is bound. Each call makes another token: only the last one stands.
 */
export async function rekeyListing(ctx: Context, input: RekeyListing): Promise<{ agent_id: string; did: string; token: string }> {
  await permit(ctx, 'listing.rekey')
  const { agent_id: agentId, unbind: isUnbound } = input
  const row = await getListingRow(ctx, agentId)
  requireOwner(ctx, row)
  await requireOwnerSignature(ctx, row, input, (deadline) => keyChangeData(ctx, row, { unbind: isUnbound, deadline }))
  return inTransaction(ctx, async (tx) => {
    if (ctx.actor.kind === 'person') await spendOwnerNonce(tx, row)
    // The token first: it waits for a binding under way, whose key is then seen and retired.
    const token = await issueToken(tx, agentId)
    const did = input.unbind ? await unbind(tx, agentId, row.handle) : (await getListingRow(tx, agentId)).did
    await appendAudit(tx, { chain: agentId, action: 'listing.rekey', before: { did: row.did }, after: { did, unbind: input.unbind } })
    return { agent_id: agentId, did, token }
  })
}

async function unbind(tx: Context, agentId: string, handle: string): Promise<string> {
  await unbindKey(tx, agentId)
  const did = webDid(tx.market, handle)
  await tx.db.listing.update({ where: { agentId }, data: { did } })
  await fenceAgent(tx, agentId)
  return did
}
