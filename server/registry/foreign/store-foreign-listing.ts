import { canonicalize, type Json, type RegistryEntry, type RegistryStatement } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { openInbox } from '../../delivery/index.ts'
import { bindForeignAgentKey, unbindAgentKey } from '../../identity/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { foreignAgentId, foreignHandle } from '../listings/foreign-agent-mapping.ts'
import { auditedTerms, columnsOf, readTextSince, saveSkills } from '../listings/listing-store.ts'
import { validateDraft } from '../listings/publish-listing.ts'
import { fenceAgent } from '../presence.ts'

/** The maximum number of listings per peer. */
export const maxForeignListings = 5_000

export type StoreResult = { readonly stored: true } | { readonly stored: false; readonly why: string }
const refused = (why: string): StoreResult => ({ stored: false, why })

/**
 * Stores a verified and valid statement of an agent's home, in the caller's transaction. A statement older than the stored one changes
 * nothing.
 * @throws request.malformed, content.refused as for our own listings
 */
export async function storeForeignListing(tx: Context, statement: RegistryStatement): Promise<StoreResult> {
  const { origin, entry } = statement
  const agentId = foreignAgentId(origin, statement.agent_id)
  await tx.db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`foreign:${agentId}`}, 0))`
  const held = await tx.db.foreignListing.findUnique({ where: { agentId } })
  const isOlder =
    held !== null &&
    (BigInt(statement.revision) < held.revision ||
      (BigInt(statement.revision) === held.revision && new Date(statement.issued_at) < held.issuedAt))
  if (isOlder) return refused(`A newer statement is known, revision ${held.revision}.`)
  // An agent that was never listed here has nothing to withdraw.
  if (entry === null) return held ? withdrawForeignListing(tx, agentId, statement) : { stored: true }
  const fault = await entryFault(tx, entry, agentId, origin)
  if (fault !== null) return refused(fault)
  validateDraft(tx, entry.listing)
  const key = await bindForeignAgentKey(tx, { agentId, did: entry.did })
  if (key === 'taken') return refused('Its key belongs to another agent of this market, or was retired.')
  if (key === 'changed') await fenceAgent(tx, agentId)
  // By this market's clock: its home could state any time.
  const textSince = await readTextSince(tx, agentId, entry.listing)
  const before = await tx.db.listing.findUnique({ where: { agentId } })
  const hasNewPayout = before?.payout !== entry.listing.payout
  const data = { ...listingColumns(tx, agentId, statement, entry), textSince, ...(hasNewPayout && { payoutSince: tx.clock.now() }) }
  if (before) await tx.db.listing.update({ where: { agentId }, data })
  else await tx.db.listing.create({ data: { ...data, agentId, origin, inboxId: await openInbox(tx) } })
  await saveStatement(tx, agentId, statement, entry)
  const known = await tx.db.listingRevision.findUnique({ where: { agentId_version: { agentId, version: entry.version } } })
  const isSame = known !== null && canonicalize(known.body as Json) === canonicalize(entry.listing as Json) && before?.did === entry.did
  if (isSame && before?.withdrawnAt === null) return { stored: true }
  await saveSkills(tx, agentId, entry.listing)
  const revision = { body: entry.listing as object, at: tx.clock.now() }
  await tx.db.listingRevision.upsert({
    where: { agentId_version: { agentId, version: entry.version } },
    create: { agentId, version: entry.version, ...revision },
    update: revision,
  })
  await appendAudit(tx, {
    stream: agentId,
    action: 'listing.state',
    after: { origin, did: entry.did, owner: entry.owner_id, revision: statement.revision, ...auditedTerms(entry.listing, entry.version) },
  })
  await sendSignal(tx, { topic: 'market', id: 'listings' })
  return { stored: true }
}

async function entryFault(tx: Context, entry: RegistryEntry, agentId: string, origin: string): Promise<string | null> {
  if (entry.asset !== tx.market.asset) return `Its prices are in ${entry.asset}. This market settles in ${tx.market.asset}.`
  if ((entry.listing.royalties ?? []).length > 0) return 'It builds on other agents, and this market cannot pay their royalties.'
  if (await tx.db.listing.findUnique({ where: { agentId, withdrawnAt: null }, select: { agentId: true } })) return null
  const count = await tx.db.listing.count({ where: { origin, withdrawnAt: null } })
  return count < maxForeignListings ? null : `This peer has ${maxForeignListings} listings in this market, which is the maximum.`
}

function listingColumns(tx: Context, agentId: string, statement: RegistryStatement, entry: RegistryEntry) {
  const { listing } = entry
  const columns = columnsOf(listing)
  return {
    ...columns,
    agentId,
    handle: foreignHandle(statement.origin, listing.handle),
    did: entry.did,
    ownerId: entry.owner_id,
    version: entry.version,
    publishedAt: new Date(entry.published_at),
    revisedAt: tx.clock.now(),
    withdrawnAt: null,
    expiresAt: new Date(statement.expires_at),
  }
}

async function saveStatement(tx: Context, agentId: string, statement: RegistryStatement, entry: RegistryEntry): Promise<void> {
  const data = { ...statementColumns(statement), score: entry.score as object }
  const { origin, agent_id: homeAgentId } = statement
  await tx.db.foreignListing.upsert({
    where: { agentId },
    create: { ...data, agentId, origin, homeAgentId, homeHandle: entry.listing.handle },
    update: data,
  })
}

function statementColumns(statement: RegistryStatement) {
  return {
    serverDid: statement.issuer,
    revision: BigInt(statement.revision),
    issuedAt: new Date(statement.issued_at),
    expiresAt: new Date(statement.expires_at),
    statement: statement as object,
  }
}

/**
 * The home no longer lists the agent. After a withdrawal the agent keeps its key here, to finish its work. If the home retired the key,
 * it is retired here too.
 */
async function withdrawForeignListing(tx: Context, agentId: string, statement: RegistryStatement): Promise<StoreResult> {
  await tx.db.foreignListing.update({ where: { agentId }, data: statementColumns(statement) })
  await tx.db.listing.updateMany({ where: { agentId, withdrawnAt: null }, data: { withdrawnAt: tx.clock.now() } })
  if (statement.withdrawn_at === null) {
    await unbindAgentKey(tx, agentId)
    await fenceAgent(tx, agentId)
  }
  await appendAudit(tx, { stream: agentId, action: 'listing.state', after: { revision: statement.revision, entry: null } })
  await sendSignal(tx, { topic: 'market', id: 'listings' })
  return { stored: true }
}

/** Withdraws all listings of an origin. If the peer is added again, all its statements count as new. */
export async function removeForeignListings(tx: Context, origin: string): Promise<number> {
  await tx.db.foreignListing.updateMany({ where: { origin }, data: { revision: 0n } })
  const { count } = await tx.db.listing.updateMany({ where: { origin, withdrawnAt: null }, data: { withdrawnAt: tx.clock.now() } })
  await sendSignal(tx, { topic: 'market', id: 'listings' })
  return count
}

/** The number of visible listings per origin. */
export async function countForeignListings(ctx: Context): Promise<Map<string, number>> {
  const rows = await ctx.db.listing.groupBy({
    by: ['origin'],
    where: { origin: { not: null }, withdrawnAt: null, expiresAt: { gt: ctx.clock.now() } },
    _count: true,
  })
  return new Map(rows.map((row) => [row.origin ?? '', row._count]))
}
