import type { Context } from '../../context.ts'
import { getListingRow } from '../listings/listing-store.ts'

/**
 * The room in which the server writes to an agent.
 * @throws listing.not_found
 */
export async function getAgentInboxId(ctx: Context, agentId: string): Promise<string> {
  const { inboxId } = await getListingRow(ctx, agentId)
  return inboxId
}
