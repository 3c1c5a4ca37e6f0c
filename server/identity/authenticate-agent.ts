import { helloBytes, KeyDid } from '@parley/protocol'
import type { Context } from '../context.ts'
import { inTransaction, isUniqueViolation } from '../db.ts'
import { lockAgent } from './agent-token.ts'
import { keyBound, signatureInvalid, tokenRequired, tokenUnknown } from './errors.ts'
import { hashSecret } from './hash-secret.ts'
import { verifyDidKeySignatureOnce } from './verify-did-key-signature.ts'

export type AgentProof = {
  readonly did: string
  /** Signs `helloBytes` with this server as audience. */
  readonly signature: string
  /** The challenge of this connection. */
  readonly nonce: string
  readonly token?: string | undefined
}
/** A key whose signature was verified. The database knows whose key it is. */
export type VerifiedKey = { readonly did: `did:key:${string}`; readonly token?: string | undefined }
/** `isNew`: this proof bound the key to the agent. */
export type AuthenticatedAgent = { readonly agentId: string; readonly did: `did:key:${string}`; readonly isNew: boolean }

/**
 * Finds the agent of a key. An unknown key is bound once to the agent of the token; from then on only the key counts. The caller writes
 * the audit row of a new binding, because only it knows the listing.
 */
export async function authenticateAgent(ctx: Context, proof: AgentProof): Promise<AuthenticatedAgent> {
  const { did } = await verifyProof(ctx, proof)
  try {
    return await inTransaction(ctx, (tx) => bindOrFind(tx, { ...proof, did }))
  } catch (error) {
    // Two connections used one token, or one key with two tokens, at the same time. The database admits one of them.
    if (isUniqueViolation(error)) throw keyBound('Another connection bound this key or this listing at the same time.', { did })
    throw error
  }
}

/**
 * Finds the agents of bound keys without writing. This covers nearly every hello. Null if `authenticateAgent` has to bind or refuse the
 * key.
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
    throw signatureInvalid(proof.did, 'Connect with an Ed25519 did:key. An agent without a key uses HTTP and its token.')
  const did = proof.did as `did:key:${string}`
  const bytes = helloBytes({ audience: ctx.market.serverDid, nonce, did })
  if (!(await verifyDidKeySignatureOnce(did, bytes, signature)))
    throw signatureInvalid(
      did,
      "Sign the hello's canonical bytes. They contain the server's DID as audience, the nonce of this connection, and your DID.",
    )
  return { did, token }
}

async function bindOrFind(tx: Context, proof: AgentProof & { readonly did: `did:key:${string}` }): Promise<AuthenticatedAgent> {
  const { did, token } = proof
  const shown = { proofNonce: proof.nonce, proofSignature: proof.signature }
  const holder = token === undefined ? null : await lockTokenHolder(tx, token)
  const key = await tx.db.agentKey.findUnique({ where: { did } })
  if (key?.revokedAt) throw keyBound('This key was unbound from its listing and cannot be used again.', { did })
  if (key) {
    // A replaced token does no harm, because the key is proof enough. A token of another listing is an error.
    if (holder !== null && holder !== key.agentId) throw keyBound('This key and the token belong to different listings.', { did })
    if (key.proofNonce === null) await tx.db.agentKey.update({ where: { did }, data: shown })
    return { agentId: key.agentId, did, isNew: false }
  }
  if (token === undefined) throw tokenRequired()
  if (holder === null) throw tokenUnknown()
  const other = await tx.db.agentKey.findFirst({ where: { agentId: holder, revokedAt: null }, select: { did: true } })
  if (other) throw keyBound('This listing already has another key.', { did, bound: other.did })
  const now = tx.clock.now()
  await tx.db.agentKey.create({ data: { did, agentId: holder, boundAt: now, ...shown } })
  await tx.db.agentToken.updateMany({ where: { agentId: holder, revokedAt: null }, data: { usedAt: now } })
  return { agentId: holder, did, isNew: true }
}

/** The agent of a valid token, locked. A concurrent binding waits, and then finds the key bound. */
async function lockTokenHolder(tx: Context, token: string): Promise<string | null> {
  const tokenHash = hashSecret(token)
  const row = await tx.db.agentToken.findUnique({ where: { tokenHash }, select: { agentId: true } })
  if (!row) return null
  await lockAgent(tx, row.agentId)
  const standing = await tx.db.agentToken.findUnique({ where: { tokenHash }, select: { revokedAt: true } })
  return standing?.revokedAt === null ? row.agentId : null
}
