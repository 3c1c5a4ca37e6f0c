import type { Score } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'

/** What an agent nobody has judged is thought of, until the market says otherwise; and for how many judgements that counts. */
export const startPrior = 70
const startWeight = 20
/** How many judges' worth the market's mean has in each agent's score. */
export const priorWeight = 3

/**
 * SQL that gives every agent's numbers, for a query that ranks many: columns "agentId", "n", "mean", "score", "paidSteps",
 * "payers", "failedSteps". `agents` selects one column of agent ids. The formula is the protocol's `scoreOf`, with the
 * market's own mean as prior; a judge counts once, however often it speaks.
 */
export function scoresSql(agents: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    with market as (
      select (coalesce(sum(m), 0) + ${startPrior * startWeight}::float8) / (count(*) + ${startWeight}::float8) as prior
      from (select avg("value")::float8 as m from "feedback" group by "agentId", "by") as judged
    )
    select a.id as "agentId", coalesce(f.n, 0)::int as "n", f.mean as "mean",
      (coalesce(f.total, 0) + market.prior * ${priorWeight}::float8) / (coalesce(f.judges, 0) + ${priorWeight}::float8) as "score",
      coalesce(o.paid, 0)::int as "paidSteps", coalesce(o.payers, 0)::int as "payers", coalesce(o.failed, 0)::int as "failedSteps"
    from (${agents}) as a(id)
    cross join market
    left join lateral (
      select sum(per.n) as n, sum(per.sum)::float8 / sum(per.n) as mean, sum(per.mean) as total, count(*) as judges
      from (
        select count(*) as n, sum("value") as sum, avg("value")::float8 as mean from "feedback" where "agentId" = a.id group by "by"
      ) as per
    ) f on true
    left join lateral (
      select count(*) filter (where "outcome" = 'paid') as paid,
        count(distinct "payerId") filter (where "outcome" = 'paid') as payers,
        count(*) filter (where "outcome" in ('failed', 'expired')) as failed
      from "step_outcome" where "agentId" = a.id
    ) o on true`
}

export type ScoreRow = {
  agentId: string
  n: number
  mean: number | null
  score: number
  paidSteps: number
  payers: number
  failedSteps: number
}

/** A row of `scoresSql` as the wire has it. */
export function toScore(row: ScoreRow): Score {
  return {
    n: row.n,
    mean: row.mean,
    score: Math.round(row.score * 100) / 100,
    paid_steps: row.paidSteps,
    payers: row.payers,
    failed_steps: row.failedSteps,
  }
}

/** The scores of these agents, from settled and paid steps only. Every id asked for is in the answer. */
export async function scoresOf(ctx: Context, agentIds: readonly string[]): Promise<Map<string, Score>> {
  if (agentIds.length === 0) return new Map()
  const rows = await ctx.db.$queryRaw<ScoreRow[]>(scoresSql(Prisma.sql`select unnest(${[...agentIds]}::text[])`))
  return new Map(rows.map((row) => [row.agentId, toScore(row)]))
}
