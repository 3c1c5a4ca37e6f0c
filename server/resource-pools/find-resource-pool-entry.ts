import type { PoolEntry } from '@parley/protocol'
import type { Context } from '../context.ts'

/** The last report about a resource, and the listing of its proxy here. */
export type KnownEntry = PoolEntry & { readonly proxyId: string | null }

/** `agentId`: of the gateway agent. Null if it has not reported this resource. */
export async function findResourcePoolEntry(ctx: Context, agentId: string, resource: string): Promise<KnownEntry | null> {
  const row = await ctx.db.poolEntry.findUnique({ where: { agentId_resource: { agentId, resource } } })
  // The protocol's schema parsed it when it was reported.
  return row && { ...(row.body as PoolEntry), state: row.state as PoolEntry['state'], proxyId: row.proxyId }
}
