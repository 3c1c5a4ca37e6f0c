/** Reads listings with skills, presence and records from PostgreSQL. */
import type { SearchConnection } from '../../db/search-connection.ts'
import { noStanding, type PresenceTimes, type SourceListing, type Standing } from '../index/index-record.ts'

type ListingRow = {
  agentId: string
  ownerId: string
  payout: string
  handle: string
  name: string
  summary: string
  policy: unknown
  isWithdrawn: boolean
  payoutSince: number
  publishedAt: number
  textSince: number
  expiresAt: number | null
  stamp: string
  seenAt: number | null
  hasLeft: boolean
  skills: readonly SkillTuple[] | null
  capabilityVector: { readonly model: string; readonly values: readonly number[] } | null
}
/** Id, name, description, price, input types, output types, tags. */
type SkillTuple = readonly [string, string, string, string, readonly string[], readonly string[], readonly string[]]

/** A listing to index, or null if it is withdrawn. */
export type ReadListing = { readonly agentId: string; readonly listing: SourceListing | null }
/** What all listings of this market have in common. */
export type MarketFacts = { readonly asset: string }

const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`
const listingSql = `
  select l."agentId", case when l."isOwnerProved" then '' else 'unproved:' end || l."ownerId" as "ownerId", l."payout", l."handle", l."name", l."summary", l."policy", l."capabilityVector", l."withdrawnAt" is not null as "isWithdrawn",
    ${milliseconds('l."payoutSince"')} as "payoutSince", ${milliseconds('l."publishedAt"')} as "publishedAt", ${milliseconds('l."textSince"')} as "textSince", ${milliseconds('l."expiresAt"')} as "expiresAt", l.xmin::text as "stamp",
    ${milliseconds('p."seenAt"')} as "seenAt", p."leftAt" is not null as "hasLeft",
    (select json_agg(json_build_array(s."skillId", s."name", s."description", s."price"::text, s."inputTypes", s."outputTypes", s."tags")
      order by s."position") from "listing_skill" s where s."agentId" = l."agentId") as "skills"
  from "listing" l left join "presence" p on p."agentId" = l."agentId"`

/** `where`: a condition on the agent, or nothing. The score of a rater who rated twice is the mean. */
const standingSql = (where: string) => `
  with judged as (
    select "agentId", sum(n)::int as ratings, sum(sum)::float8 as sum, sum(mean) as total, count(*)::int as judges
    from (select "agentId", count(*) as n, sum("value") as sum, avg("value")::float8 as mean from "feedback" ${where} group by "agentId", "by") as judge group by 1
  ), ended as (
    select "agentId", count(*) filter (where "outcome" = 'paid')::int as paid,
      count(distinct "payerId") filter (where "outcome" = 'paid')::int as payers,
      count(*) filter (where "outcome" in ('failed', 'expired'))::int as failed
    from "step_outcome" ${where} group by 1
  ), timed as (
    select "agentId", percentile_cont(0.5) within group (order by ${milliseconds('("endedAt" - "assignedAt")')}) as latency
    from "task" where "state" = 'completed' and "endedAt" is not null ${where.replace('where', 'and')} group by 1
  )
  select "agentId", coalesce(j.ratings, 0) as "ratings", coalesce(j.sum, 0) as "sum", coalesce(j.total, 0) as "total", coalesce(j.judges, 0) as "judges", coalesce(e.paid, 0) as "paidSteps",
    coalesce(e.payers, 0) as "payers", coalesce(e.failed, 0) as "failedSteps", t.latency as "latencyMs"
  from judged j full join ended e using ("agentId") full join timed t using ("agentId")`

const chunk = 1_000

/** All current listings of one snapshot. `xmin`: transactions from this one on are not in the snapshot. */
export type AllListings = {
  readonly xmin: string
  /** A chunk at a time, without standings. They hold the snapshot until the end. */
  readonly chunks: AsyncGenerator<readonly SourceListing[]>
  /** Of the agents that have a record. */
  readonly standings: Promise<ReadonlyMap<string, Standing>>
}

/** The standings are computed on a connection of their own, because the database takes seconds for them. */
export async function readAllListings(
  connection: SearchConnection,
  standingsConnection: SearchConnection,
  market: MarketFacts,
): Promise<AllListings> {
  await connection.query('begin isolation level repeatable read read only')
  const [snapshot] = await connection.query<{ xmin: string; id: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, pg_export_snapshot() as id',
  )
  const { xmin, id } = snapshot ?? { xmin: '0', id: '' }
  await standingsConnection.query('begin isolation level repeatable read read only')
  await standingsConnection.query(`set transaction snapshot '${id}'`)
  const standings = readStandings(standingsConnection, null).finally(() => standingsConnection.query('rollback').catch(() => undefined))
  // It is awaited after the chunks, which may fail first.
  standings.catch(() => undefined)
  return { xmin, chunks: readChunks(connection, market), standings }
}

async function* readChunks(connection: SearchConnection, market: MarketFacts): AsyncGenerator<readonly SourceListing[]> {
  try {
    await connection.query(`declare listings no scroll cursor for ${listingSql} where l."withdrawnAt" is null`)
    const readChunk = () => connection.query<ListingRow>(`fetch ${chunk} from listings`)
    let next = readChunk()
    for (;;) {
      const rows = await next
      // The database reads the next chunk while the index takes this one.
      next = rows.length < chunk ? Promise.resolve([]) : readChunk()
      next.catch(() => undefined)
      yield rows.map((row) => toSourceListing(row, noStandings, market))
      if (rows.length < chunk) break
    }
    await next
  } finally {
    await connection.query('rollback').catch(() => undefined)
  }
}

const noStandings: ReadonlyMap<string, Standing> = new Map()

/** Reads some listings. Unknown ids are left out. */
export async function readListingsForIndex(
  connection: SearchConnection,
  market: MarketFacts,
  ids: readonly string[],
): Promise<ReadListing[]> {
  const rows = await connection.query<ListingRow>(`${listingSql} where l."agentId" = any($1::text[])`, [ids])
  const standings = await readStandings(connection, ids)
  return rows.map((row) => toListing(row, standings, market))
}

/** The records of agents that have one. `ids` null: of all agents. */
export async function readStandings(connection: SearchConnection, ids: readonly string[] | null): Promise<Map<string, Standing>> {
  const rows = await connection.query<Standing & { agentId: string }>(
    standingSql(ids === null ? '' : 'where "agentId" = any($1::text[])'),
    ids === null ? [] : [ids],
  )
  return new Map(rows.map(({ agentId, ...standing }) => [agentId, standing]))
}

type PresenceRow = PresenceTimes & { readonly agentId: string }

export async function readPresences(connection: SearchConnection, ids: readonly string[]): Promise<PresenceRow[]> {
  return connection.query(
    `select "agentId", ${milliseconds('"seenAt"')} as "seenAt", "leftAt" is not null as "hasLeft" from "presence" where "agentId" = any($1::text[])`,
    [ids],
  )
}

type Heartbeat = { readonly agentId: string; readonly seenAt: number }

/** Reads the heartbeats since a time, a chunk at a time. */
export async function* readHeartbeats(connection: SearchConnection, since: number): AsyncGenerator<readonly Heartbeat[]> {
  await connection.query('begin read only')
  try {
    await connection.query(`declare heartbeats no scroll cursor for
      select "agentId", ${milliseconds('"seenAt"')} as "seenAt" from "presence"
      where "seenAt" > to_timestamp(${Number(since) / 1_000})`)
    for (;;) {
      const rows = await connection.query<Heartbeat>(`fetch ${chunk} from heartbeats`)
      yield rows
      if (rows.length < chunk) break
    }
  } finally {
    await connection.query('rollback').catch(() => undefined)
  }
}

function toListing(row: ListingRow, standings: ReadonlyMap<string, Standing>, market: MarketFacts): ReadListing {
  return { agentId: row.agentId, listing: row.isWithdrawn ? null : toSourceListing(row, standings, market) }
}

function toSourceListing(row: ListingRow, standings: ReadonlyMap<string, Standing>, { asset }: MarketFacts): SourceListing {
  const { isWithdrawn: _isWithdrawn, seenAt, hasLeft, skills, policy, capabilityVector: vector, ...facts } = row
  return {
    ...facts,
    skills: (skills ?? []).map(([id, name, description, price, inputTypes, outputTypes, tags]) => {
      return { id, name, description, price: BigInt(price), inputTypes, outputTypes, tags }
    }),
    attributes: [`currency:${asset}`, ...policyAttributes(policy)],
    advertised: vector && { model: vector.model, values: Float32Array.from(vector.values) },
    standing: standings.get(row.agentId) ?? noStanding,
    presence: { seenAt, hasLeft },
  }
}

const policyFields = { regions: 'region', languages: 'language', terms: 'policy', protocols: 'protocol' } as const

function policyAttributes(policy: unknown): string[] {
  if (typeof policy !== 'object' || policy === null) return []
  return Object.entries(policyFields).flatMap(([field, kind]) => {
    const values = (policy as Record<string, unknown>)[field]
    return Array.isArray(values) ? values.filter((one) => typeof one === 'string').map((one) => `${kind}:${one}`) : []
  })
}
