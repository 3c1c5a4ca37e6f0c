import { appendAudit } from '../../audit/index.ts'
import { type Actor, actingAs, type Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import {
  type AgentProof,
  authenticateAgent,
  findAgentTokenHolder,
  findKnownAgents,
  type VerifiedKey,
  verifyProof,
} from '../../identity/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import type { ListingRow } from '../listings/listing.ts'
import { getListingRow } from '../listings/listing-store.ts'

/** An authenticated agent. */
export type ConnectedAgent = {
  readonly actor: Extract<Actor, { kind: 'agent' }>
  readonly agentId: string
  readonly handle: string
  readonly inboxId: string
}

/** The agents of the verified keys, in one query; null for each that `connectAgent` has to handle. */
export async function findAgentsByKeys(ctx: Context, shown: readonly VerifiedKey[]): Promise<(ConnectedAgent | null)[]> {
  const known = await findKnownAgents(ctx, shown)
  const rows = await ctx.db.listing.findMany({
    where: { agentId: { in: known.flatMap((one) => one?.agentId ?? []) } },
    select: { agentId: true, ownerId: true, handle: true, inboxId: true },
  })
  const rowOf = new Map(rows.map((row) => [row.agentId, row]))
  return known.map((one) => {
    const row = one && rowOf.get(one.agentId)
    return row ? connected({ ...row, did: one.did }, true) : null
  })
}

/**
 * Authenticates a WebSocket connection by its signature over the challenge. A new key with a listing's token is bound to that listing.
 * `find`: looks up a verified key; the hub batches these.
 * @throws auth.signature_invalid, auth.required, listing.key_bound
 */
export async function connectAgent(
  ctx: Context,
  proof: AgentProof,
  find: (shown: VerifiedKey) => Promise<ConnectedAgent | null> = async (shown) => (await findAgentsByKeys(ctx, [shown]))[0] ?? null,
): Promise<ConnectedAgent> {
  const known = await find(await verifyProof(ctx, proof))
  if (known) return known
  return inTransaction(ctx, async (tx) => {
    const { agentId, did, isNew } = await authenticateAgent(tx, proof)
    const row = await getListingRow(tx, agentId)
    if (!isNew) return connected({ ...row, did }, true)
    await tx.db.listing.update({ where: { agentId }, data: { did } })
    const agent = connected({ ...row, did }, true)
    await appendAudit(actingAs(tx, agent.actor), { stream: agentId, action: 'key.bind', before: { did: row.did }, after: { did } })
    await sendSignal(tx, { topic: 'market', id: 'listings' })
    return agent
  })
}

/**
 * Authenticates an HTTP request by its bearer token.
 * @throws auth.required
 */
export async function findAgentByToken(ctx: Context, token: string): Promise<ConnectedAgent> {
  const agentId = await findAgentTokenHolder(ctx, token)
  return connected(await getListingRow(ctx, agentId), false)
}

function connected(row: Pick<ListingRow, 'agentId' | 'did' | 'ownerId' | 'handle' | 'inboxId'>, hasKey: boolean): ConnectedAgent {
  const actor = {
    kind: 'agent',
    did: row.did as `did:web:${string}` | `did:key:${string}`,
    agentId: row.agentId,
    ownerDid: row.ownerId,
    hasKey,
  } as const
  return { actor, agentId: row.agentId, handle: row.handle, inboxId: row.inboxId }
}
