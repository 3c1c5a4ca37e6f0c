import { appendAudit } from '../audit/index.ts'
import { type Actor, actingAs, type Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { type AgentProof, findTokenHolder, proveAgent, recognizeAgent } from '../identity/index.ts'
import { wake } from '../wake.ts'
import type { ListingRow } from './listing.ts'
import { getListingRow } from './store.ts'

/** An agent that has proved itself. */
export type ConnectedAgent = {
  readonly actor: Extract<Actor, { kind: 'agent' }>
  readonly agentId: string
  readonly handle: string
  readonly inboxId: string
}

/**
 * The one question a WebSocket door asks: who is this, by its signature over the challenge. A key that comes with a
 * listing's token for the first time becomes the name under which that agent speaks.
 * @throws auth.signature_invalid, auth.required, listing.key_bound
 */
export async function connectAgent(ctx: Context, proof: AgentProof): Promise<ConnectedAgent> {
  const known = await recognizeAgent(ctx, proof)
  if (known) return connected({ ...(await getListingRow(ctx, known.agentId)), did: known.did }, true)
  return inTransaction(ctx, async (tx) => {
    const { agentId, did, isNew } = await proveAgent(tx, proof)
    const row = await getListingRow(tx, agentId)
    if (!isNew) return connected({ ...row, did }, true)
    await tx.db.listing.update({ where: { agentId }, data: { did } })
    const agent = connected({ ...row, did }, true)
    await appendAudit(actingAs(tx, agent.actor), { chain: agentId, action: 'key.bind', before: { did: row.did }, after: { did } })
    await wake(tx, { topic: 'market', id: 'listings' })
    return agent
  })
}

/** The question of the HTTP door: whose bearer token is this. @throws auth.required */
export async function findAgentByToken(ctx: Context, token: string): Promise<ConnectedAgent> {
  const agentId = await findTokenHolder(ctx, token)
  return connected(await getListingRow(ctx, agentId), false)
}

function connected(row: ListingRow, hasKey: boolean): ConnectedAgent {
  const actor = {
    kind: 'agent',
    did: row.did as `did:web:${string}` | `did:key:${string}`,
    agentId: row.agentId,
    ownerDid: row.ownerId,
    hasKey,
  } as const
  return { actor, agentId: row.agentId, handle: row.handle, inboxId: row.inboxId }
}
