import type { Context } from '../context.ts'
import { listingNotFound } from './errors.ts'
import { listInboxes } from './get-listing.ts'

/** The group through which the server reaches an agent. @throws listing.not_found */
export async function getInbox(ctx: Context, agentId: string): Promise<string> {
  const [inbox] = await listInboxes(ctx, { agentIds: [agentId] })
  if (!inbox) throw listingNotFound(agentId)
  return inbox.inboxId
}
