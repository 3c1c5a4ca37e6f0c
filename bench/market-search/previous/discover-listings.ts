import type { DiscoverQuery, Listing } from '@parley/protocol'
import type { Context } from '../../../server/context.ts'
import { limitPageBytes } from '../../../server/db/limit-page-bytes.ts'
import { Prisma } from '../../../server/db.ts'
import { activeRules, isAllowed, permit } from '../../../server/policy/index.ts'
import { cursorMalformed } from '../../../server/registry/errors.ts'
import { loadListings } from '../../../server/registry/listings/listing-store.ts'
import { marketPrior, scoresSql } from '../../../server/reputation/index.ts'
import { matchingListingsSql, withSearchThreshold } from './matching-listings-sql.ts'

const { sql } = Prisma
type Sort = NonNullable<DiscoverQuery['sort']>

/**
 * The sort keys. `relevance`: the match of the words, plus 0.2 for a full score and 0.15 for presence, so that inactive agents rank
 * lower.
 */
const sortKeys: { readonly [sort in Sort]: { readonly key: Prisma.Sql; readonly isAscending: boolean; readonly needsScore: boolean } } = {
  relevance: {
    key: sql`round((f.match + 0.2 * s."score" / 100 + 0.15 * f.alive)::numeric, 6)`,
    isAscending: false,
    needsScore: true,
  },
  price: { key: sql`f.price::numeric`, isAscending: true, needsScore: false },
  score: { key: sql`round(s."score"::numeric, 6)`, isAscending: false, needsScore: true },
  newest: { key: sql`floor(extract(epoch from f."publishedAt") * 1000)`, isAscending: false, needsScore: false },
  paid_steps: { key: sql`s."paidSteps"::numeric`, isAscending: false, needsScore: true },
}

export type Discovered = { listings: Listing[]; next: string | null }

/**
 * Searches listings, one page at a time. `readme` and `samples` are empty, so that a page fits into one frame. A listing that changes
 * between two pages may appear twice or not at all.
 */
export async function discoverListings(ctx: Context, query: DiscoverQuery): Promise<Discovered> {
  await permit(ctx, 'listing.discover')
  const sort = query.sort ?? 'relevance'
  const { key, isAscending, needsScore } = sortKeys[sort]
  const limit = query.limit
  const cursor = query.after === undefined ? null : readCursor(query.after, sort)
  const beyond = isAscending ? sql`>` : sql`<`
  const prior = needsScore ? await marketPrior(ctx) : 0
  const rows = await withSearchThreshold(
    ctx,
    (tx) => tx.db.$queryRaw<{ id: string; key: string }[]>`
    with fitting as materialized (${matchingListingsSql(ctx, query)}),
    keyed as (
      select f.id, ${key} as key from fitting f
      ${needsScore ? sql`join (${scoresSql(sql`select id from fitting`, prior)}) s on s."agentId" = f.id` : Prisma.empty}
    )
    select id, key::text as key from keyed
    ${cursor ? sql`where key ${beyond} ${cursor.key}::numeric or (key = ${cursor.key}::numeric and id > ${cursor.id})` : Prisma.empty}
    order by keyed.key ${isAscending ? sql`asc` : sql`desc`}, id asc limit ${limit + 1}`,
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const listings = await loadListings(
    ctx,
    shown.map((row) => row.id),
  )
  const rules = await activeRules(ctx)
  // A page may be shorter than the limit. The next page follows nevertheless.
  const seen = listings.filter(({ agent_id, did, owner_id, skills }) =>
    isAllowed(ctx, rules, {
      point: 'retrieve',
      kind: 'agent',
      agent_ids: [agent_id],
      dids: [did, owner_id],
      skill_ids: skills.map((skill) => skill.id),
    }),
  )
  const page = limitPageBytes(seen.map(withoutLongTexts))
  const lastSeen = page.length < seen.length ? shown.find(({ id }) => id === page.at(-1)?.agent_id) : undefined
  if (lastSeen) return { listings: page, next: writeCursor(sort, lastSeen) }
  return { listings: page, next: rows.length > limit && last ? writeCursor(sort, last) : null }
}

/** A listing without its long texts. */
export function withoutLongTexts(listing: Listing): Listing {
  return { ...listing, readme: '', skills: listing.skills.map((skill) => ({ ...skill, samples: [] })) }
}

function writeCursor(sort: Sort, last: { id: string; key: string }): string {
  return Buffer.from(JSON.stringify([sort, last.key, last.id])).toString('base64url')
}

function readCursor(text: string, sort: Sort): { key: string; id: string } {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    throw cursorMalformed()
  }
  if (!Array.isArray(value)) throw cursorMalformed()
  const [madeFor, key, id] = value as unknown[]
  if (madeFor !== sort || typeof key !== 'string' || typeof id !== 'string') throw cursorMalformed()
  if (!/^-?\d{1,30}(\.\d{1,10})?$/.test(key) || !/^agt_[0-9a-f]{32}$/.test(id)) throw cursorMalformed()
  return { key, id }
}
