import { type Listing, ListingDraft, type Score } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import { loadScores } from '../../reputation/index.ts'
import { listingForeign, listingIsProxy, listingNotFound, listingNotOwner } from '../errors.ts'
import { skeletonOf } from '../names/name-faults.ts'
import { findTextFirstPublishedAt } from './find-text-first-published-at.ts'
import { homeOf } from './foreign-agent-mapping.ts'
import { type ListingRow, neededTypes, searchTextOf, toListing } from './listing.ts'
import { listingProxyOf } from './listing-proxy-mapping.ts'
import { readListingRows } from './read-listing-rows.ts'
import { listingRoyaltiesOf } from './royalty-store.ts'

/**
 * The row, locked until the transaction ends.
 * @throws listing.not_found
 */
export async function lockListing(tx: Context, agentId: string): Promise<ListingRow> {
  await tx.db.$queryRaw`select 1 from "listing" where "agentId" = ${agentId} for update`
  return getListingRow(tx, agentId)
}

/** @throws listing.not_found */
export async function getListingRow(ctx: Context, agentId: string): Promise<ListingRow> {
  const row = await ctx.db.listing.findUnique({ where: { agentId } })
  if (!row) throw listingNotFound(agentId)
  return row
}

/** Admits the owner of one of our own listings, and the server's own jobs. */
export function requireOwner(ctx: Context, row: ListingRow): void {
  if (row.origin !== null) throw listingForeign(row.agentId, row.origin)
  if (ctx.actor.kind === 'system') return
  if (ctx.actor.kind !== 'person' || ctx.actor.did !== row.ownerId) throw listingNotOwner(row.agentId, row.ownerId)
}

/** @throws listing.is_proxy if the listing is derived from an admission */
export async function requireNotProxy(ctx: Context, agentId: string): Promise<void> {
  if (await ctx.db.poolEntry.findUnique({ where: { proxyId: agentId }, select: { proxyId: true } })) throw listingIsProxy(agentId)
}

/** The newest published version. */
export async function lastDraft(ctx: Context, { agentId, version }: Pick<ListingRow, 'agentId' | 'version'>): Promise<ListingDraft> {
  const { body } = await ctx.db.listingRevision.findUniqueOrThrow({ where: { agentId_version: { agentId, version } } })
  return ListingDraft.parse(body)
}

/** Older versions do not make a text older. */
const maxComparedVersions = 20

/** Since when a listing has the text of a new version, which is not stored yet. */
export async function readTextSince(tx: Context, agentId: string, draft: ListingDraft): Promise<Date> {
  const rows = await tx.db.listingRevision.findMany({ where: { agentId }, orderBy: { version: 'desc' }, take: maxComparedVersions })
  const versions = rows.map(({ body, at }) => ({ text: ListingDraft.parse(body), at }))
  return findTextFirstPublishedAt(draft, versions, tx.clock.now())
}

/** Replaces the skills with those of a new version. */
export async function saveSkills(tx: Context, agentId: string, draft: ListingDraft): Promise<void> {
  await tx.db.listingSkill.deleteMany({ where: { agentId } })
  await tx.db.listingSkill.createMany({
    data: draft.skills.map((skill, position) => ({
      agentId,
      skillId: skill.id,
      position,
      name: skill.name,
      description: skill.description,
      price: BigInt(skill.price),
      inputs: skill.inputs as object[],
      outputs: skill.outputs as object[],
      inputTypes: neededTypes(skill),
      outputTypes: [...new Set(skill.outputs.map((port) => port.type))],
      tags: skill.tags,
      samples: skill.samples as object[],
    })),
  })
}

/** The columns that the publisher writes. */
export function columnsOf(draft: ListingDraft) {
  const { handle, name, summary, readme, payout, policy, capability_vector: vector } = draft
  return {
    handle,
    name,
    summary,
    readme,
    payout,
    policy: policy as object,
    capabilityVector: vector === undefined ? Prisma.DbNull : { model: vector.model, values: vector.values },
    searchText: searchTextOf(draft),
    nameSkeleton: skeletonOf(name),
  }
}

/** What an audit row records of a version: payees and prices. */
export function auditedTerms(draft: ListingDraft, version: number) {
  const prices = Object.fromEntries(draft.skills.map((skill) => [skill.id, skill.price]))
  return { version, handle: draft.handle, name: draft.name, payout: draft.payout, prices, royalties: draft.royalties ?? [] }
}

/** `isShort`: `readme` and the samples of skills are empty. `scores`: those that are known already, of all of the listings. */
type LoadOptions = { readonly isShort?: boolean; readonly scores?: ReadonlyMap<string, Score> | undefined }

/** Listings with presence and score, in the given order; unknown ids are left out. */
export async function loadListings(ctx: Context, agentIds: readonly string[], options: LoadOptions = {}): Promise<Listing[]> {
  if (agentIds.length === 0) return []
  const [rows, scores] = await Promise.all([
    readListingRows(ctx, agentIds, options.isShort === true),
    options.scores ?? loadScores(ctx, agentIds),
  ])
  const now = ctx.clock.now()
  return agentIds.flatMap((agentId) => {
    const row = rows.get(agentId)
    const score = scores.get(agentId)
    return row && score
      ? [
          {
            ...toListing(row, { skills: row.skills, presence: row.presence, score, now }),
            ...listingRoyaltiesOf(row.royalties),
            ...(row.foreign && { home: homeOf(row.foreign) }),
            ...(row.proxy && { proxy: listingProxyOf(row.proxy) }),
          },
        ]
      : []
  })
}
