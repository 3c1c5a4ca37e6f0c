import type { Context } from '../context.ts'
import { getListingRow } from './store.ts'

/** The group through which the server reaches an agent. @throws listing.not_found */
export async function getInbox(ctx: Context, agentId: string): Promise<string> {
  const { inboxId } = await getListingRow(ctx, agentId)
  return inboxId
}
