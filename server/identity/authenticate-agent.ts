import { helloBytes, KeyDid } from '@parley/protocol'
import type { Context } from '../context.ts'
import { inTransaction, isUniqueViolation } from '../db.ts'
import { lockAgent } from './agent-token.ts'
import { keyBound, signatureInvalid, tokenRequired, tokenUnknown } from './errors.ts'
import { hashSecret } from './hash-secret.ts'
import { verifySignatureOnce } from './verify-signature.ts'

export type AgentProof = {
  readonly did: string
  /** Over `helloBytes` with this server as audience. */
  readonly signature: string
  /** The one that this connection was challenged with. */
  readonly nonce: string
  readonly token?: string | undefined
}
/** That somebody has a key is shown; whose key it is, the database knows. */
export type VerifiedKey = { readonly did: `did:key:${string}`; readonly token?: string | undefined }
/** `isNew`: the key was bound to the agent by this very proof. */
export type AuthenticatedAgent = { readonly agentId: string; readonly did: `did:key:${string}`; readonly isNew: boolean }

/**
 * Whose key this is. A key that nobody has is bound to the agent of the token, once: from then on the key alone counts.
 * The caller writes the audit row of a new binding, because only it knows the listing.
 */
export async function authenticateAgent(ctx: Context, proof: AgentProof): Promise<AuthenticatedAgent> {
  const { did } = await verifyProof(ctx, proof)
  try {
    return await inTransaction(ctx, (tx) => bindOrFind(tx, { ...proof, did }))
  } catch (error) {
    // Two connections with one token, or one key with two tokens, at the same moment: the database lets one of them through.
    if (isUniqueViolation(error)) throw keyBound('The key or the listing was bound at the same moment by another connection.', { did })
    throw error
  }
}

/**
 * Whose keys these are, where nothing has to be written or refused, as with nearly every hello: the key stands, and so does
 * whatever token comes with it. Null for each of which it takes `proveAgent` to say what is the matter.
 */
export async function findKnownAgents(ctx: Context, shown: readonly VerifiedKey[]): Promise<(AuthenticatedAgent | null)[]> {
  const dids = shown.map((one) => one.did)
  // No hash is empty.
  const tokens = shown.map((one) => (one.token === undefined ? '' : hashSecret(one.token)))
  const rows = await ctx.db.$queryRaw<{ place: number; agentId: string; holder: string | null }[]>`
    select s."place"::int, k."agentId", t."agentId" as "holder"
    from unnest(${dids}::text[], ${tokens}::text[]) with ordinality as s("did", "tokenHash", "place")
    join "agent_key" k on k."did" = s."did" and k."revokedAt" is null and k."proofNonce" is not null
    left join "agent_token" t on t."tokenHash" = s."tokenHash" and t."revokedAt" is null`
  const known = new Map(rows.map((row) => [row.place - 1, row]))
  return shown.map(({ did }, index) => {
    const key = known.get(index)
    return key && (key.holder === null || key.holder === key.agentId) ? { agentId: key.agentId, did, isNew: false } : null
  })
}

/** @throws auth.signature_invalid */
export async function verifyProof(ctx: Context, proof: AgentProof): Promise<VerifiedKey> {
  const { nonce, signature, token } = proof
  if (!KeyDid.safeParse(proof.did).success)
    throw signatureInvalid(proof.did, 'Connect with an Ed25519 did:key; agents without a key use the HTTP door and their token.')
  const did = proof.did as `did:key:${string}`
  const bytes = helloBytes({ audience: ctx.market.serverDid, nonce, did })
  if (!(await verifySignatureOnce(did, bytes, signature)))
    throw signatureInvalid(did, "Sign the hello's canonical bytes: the server's DID as audience, the nonce of this connection, your DID.")
  return { did, token }
}

async function bindOrFind(tx: Context, proof: AgentProof & { readonly did: `did:key:${string}` }): Promise<AuthenticatedAgent> {
  const { did, token } = proof
  const shown = { proofNonce: proof.nonce, proofSignature: proof.signature }
  const holder = token === undefined ? null : await lockTokenHolder(tx, token)
  const key = await tx.db.agentKey.findUnique({ where: { did } })
  if (key?.revokedAt) throw keyBound('This key was unbound from its listing and is not taken again; make a new one.', { did })
  if (key) {
    // A token that was replaced since is no harm: the key is proof enough. A token of another listing is a mistake.
    if (holder !== null && holder !== key.agentId) throw keyBound('This key belongs to another listing than the token.', { did })
    if (key.proofNonce === null) await tx.db.agentKey.update({ where: { did }, data: shown })
    return { agentId: key.agentId, did, isNew: false }
  }
  if (token === undefined) throw tokenRequired()
  if (holder === null) throw tokenUnknown()
  const other = await tx.db.agentKey.findFirst({ where: { agentId: holder, revokedAt: null }, select: { did: true } })
  if (other) throw keyBound('This listing has another key already.', { did, bound: other.did })
  const now = tx.clock.now()
  await tx.db.agentKey.create({ data: { did, agentId: holder, boundAt: now, ...shown } })
  await tx.db.agentToken.updateMany({ where: { agentId: holder, revokedAt: null }, data: { usedAt: now } })
  return { agentId: holder, did, isNew: true }
}

/** The agent of a token that still stands, and its lock: who binds second waits, and then finds the key bound. */
async function lockTokenHolder(tx: Context, token: string): Promise<string | null> {
  const tokenHash = hashSecret(token)
  const row = await tx.db.agentToken.findUnique({ where: { tokenHash }, select: { agentId: true } })
  if (!row) return null
  await lockAgent(tx, row.agentId)
  const standing = await tx.db.agentToken.findUnique({ where: { tokenHash }, select: { revokedAt: true } })
  return standing?.revokedAt === null ? row.agentId : null
}
