import type { PoolEntry } from '@parley/protocol'
import type { Context } from '../context.ts'

/** What a gateway agent has last said of a resource, and the listing that is its front here. */
export type KnownEntry = PoolEntry & { readonly frontId: string | null }

/** `agentId`: the gateway agent's. Null where it has said nothing of this resource. */
export async function findEntry(ctx: Context, agentId: string, resource: string): Promise<KnownEntry | null> {
  const row = await ctx.db.poolEntry.findUnique({ where: { agentId_resource: { agentId, resource } } })
  // Parsed by the protocol's schema when it was reported.
  return row && { ...(row.body as PoolEntry), state: row.state as PoolEntry['state'], frontId: row.frontId }
}
