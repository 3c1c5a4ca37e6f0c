import type { Context } from '../../context.ts'
import { Prisma } from '../../db.ts'
import type { PresenceRow } from '../presence.ts'
import type { ForeignRow } from './foreign-agent-mapping.ts'
import type { ListingRow, SkillRow } from './listing.ts'
import type { ProxyRow } from './listing-proxy-mapping.ts'
import type { RoyaltyRow } from './royalty-store.ts'

/** A listing with all rows that belong to it, as stored. */
export type FullRow = ListingRow & {
  readonly skills: readonly SkillRow[]
  readonly royalties: readonly RoyaltyRow[]
  readonly foreign: ForeignRow | null
  readonly proxy: ProxyRow | null
  readonly presence: PresenceRow | null
}
type InJson<T, Changed extends keyof T> = Omit<T, Changed> & { readonly [key in Changed]: string }
type StoredRow = Omit<FullRow, 'skills' | 'royalties' | 'foreign' | 'presence'> & {
  readonly skills: readonly InJson<SkillRow, 'price'>[] | null
  readonly royalties: readonly RoyaltyRow[] | null
  readonly foreign: InJson<ForeignRow, 'revision' | 'issuedAt' | 'expiresAt'> | null
  readonly connection: string | null
  readonly seenAt: Date | null
  readonly leftAt: Date | null
}

const { sql } = Prisma
const foreignSql = sql`(
  select json_build_object('origin', f."origin", 'homeAgentId', f."homeAgentId", 'homeHandle', f."homeHandle", 'serverDid', f."serverDid",
    'revision', f."revision"::text, 'issuedAt', f."issuedAt", 'expiresAt', f."expiresAt", 'score', f."score")
  from "foreign_listing" f where f."agentId" = l."agentId")`
const proxySql = sql`(
  select json_build_object('resource', e."resource", 'state', e."state", 'body', e."body",
    'listing', json_build_object('agentId', g."agentId", 'handle', g."handle", 'did', g."did"))
  from "pool_entry" e join "listing" g on g."agentId" = e."agentId" where e."proxyId" = l."agentId")`
const royaltiesSql = sql`(
  select json_agg(json_build_object('upstreamId', r."upstreamId", 'bps', r."bps",
    'upstream', json_build_object('handle', u."handle", 'payout', u."payout")) order by r."position")
  from "listing_royalty" r join "listing" u on u."agentId" = r."upstreamId" where r."agentId" = l."agentId")`

/**
 * Reads listings in one statement: a page of a search is read often. `isShort`: without long texts, which are the README and the samples
 * of skills. Unknown ids are left out.
 */
export async function readListingRows(ctx: Context, agentIds: readonly string[], isShort: boolean): Promise<Map<string, FullRow>> {
  const rows = await ctx.db.$queryRaw<StoredRow[]>`
    select l."agentId", l."handle", l."did", l."ownerId", l."inboxId", l."name", l."summary", ${isShort ? sql`''` : sql`l."readme"`} as "readme",
      l."payout", l."policy", l."version", l."publishedAt", l."revisedAt", l."ownerNonce", l."withdrawnAt", l."origin", l."expiresAt",
      p."connection", p."seenAt", p."leftAt",
      (select json_agg(json_build_object('skillId', s."skillId", 'name', s."name", 'description', s."description", 'price', s."price"::text,
        'inputs', s."inputs", 'outputs', s."outputs", 'tags', s."tags", 'samples', ${isShort ? sql`'[]'::jsonb` : sql`s."samples"`})
        order by s."position") from "listing_skill" s where s."agentId" = l."agentId") as "skills",
      ${royaltiesSql} as "royalties", ${foreignSql} as "foreign", ${proxySql} as "proxy"
    from "listing" l left join "presence" p on p."agentId" = l."agentId"
    where l."agentId" = any(${[...agentIds]}::text[])`
  return new Map(rows.map((row) => [row.agentId, toFullRow(row)]))
}

function toFullRow({ skills, royalties, foreign, connection, seenAt, leftAt, ...row }: StoredRow): FullRow {
  return {
    ...row,
    skills: (skills ?? []).map((skill) => ({ ...skill, price: BigInt(skill.price) })),
    royalties: royalties ?? [],
    foreign: foreign && {
      ...foreign,
      ...{ revision: BigInt(foreign.revision), issuedAt: new Date(foreign.issuedAt), expiresAt: new Date(foreign.expiresAt) },
    },
    presence: seenAt && { connection: connection ?? '', seenAt, leftAt },
  }
}
