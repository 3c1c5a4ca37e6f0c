import type { Score } from '@parley/protocol'
import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'
import type { Ports } from '../ports.ts'

/** The Bayesian prior: the assumed score of an unrated agent, and its weight in ratings. */
export const startPrior = 70
const startWeight = 20
/** The weight of the market's mean in each agent's score, in raters. */
export const priorWeight = 3

const priorLifeMs = 60_000
/** Cached for a minute for each composition of the server, because it scans all ratings and changes slowly. */
const priors = new WeakMap<Ports, { prior: number; until: number }>()

/** The mean over each rater's mean per agent. */
export async function marketPrior(ctx: Context): Promise<number> {
  const now = ctx.clock.now().getTime()
  const kept = priors.get(ctx.ports)
  if (kept && now < kept.until) return kept.prior
  const [row] = await ctx.db.$queryRaw<{ prior: number }[]>`
    select (coalesce(sum(m), 0) + ${startPrior * startWeight}::float8) / (count(*) + ${startWeight}::float8) as prior
    from (select avg("value")::float8 as m from "feedback" group by "agentId", "by") as judged`
  const prior = row?.prior ?? startPrior
  priors.set(ctx.ports, { prior, until: now + priorLifeMs })
  return prior
}

/**
 * SQL of the scores of many agents: columns "agentId", "n", "mean", "score", "paidSteps", "payers", "failedSteps". `agents` selects one
 * column of distinct ids. The formula is the protocol's `scoreOf`, in which each rater counts once.
 */
export function scoresSql(agents: Prisma.Sql, prior: number): Prisma.Sql {
  return Prisma.sql`
    with asked(id) as materialized (${agents}),
    judges as (
      select "agentId", count(*) as n, sum("value") as sum, avg("value")::float8 as mean
      from "feedback" where "agentId" in (select id from asked) group by "agentId", "by"
    ),
    judged as (
      select "agentId", sum(n) as n, sum(sum)::float8 / sum(n)::float8 as mean, sum(mean) as total, count(*) as judges from judges group by 1
    ),
    ended as (
      select "agentId", count(*) filter (where "outcome" = 'paid') as paid,
        count(distinct "payerId") filter (where "outcome" = 'paid') as payers,
        count(*) filter (where "outcome" in ('failed', 'expired')) as failed
      from "step_outcome" where "agentId" in (select id from asked) group by 1
    )
    select a.id as "agentId", coalesce(j.n, 0)::int as "n", j.mean as "mean",
      (coalesce(j.total, 0) + ${prior * priorWeight}::float8) / (coalesce(j.judges, 0) + ${priorWeight}::float8) as "score",
      coalesce(e.paid, 0)::int as "paidSteps", coalesce(e.payers, 0)::int as "payers", coalesce(e.failed, 0)::int as "failedSteps"
    from asked a left join judged j on j."agentId" = a.id left join ended e on e."agentId" = a.id`
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

/** Converts a row of `scoresSql` to the wire form. */
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

/** The score of an agent from its sums: `ratings` ratings with their `sum`, and the `total` of the means of `judges` raters. */
export function scoreFromSums(
  sums: { ratings: number; sum: number; total: number; judges: number; paidSteps: number; payers: number; failedSteps: number },
  prior: number,
): Score {
  const { ratings, sum, total, judges, ...steps } = sums
  const mean = ratings === 0 ? null : sum / ratings
  return toScore({ ...steps, agentId: '', n: ratings, mean, score: (total + prior * priorWeight) / (judges + priorWeight) })
}

/** The scores of these agents, from settled and paid steps only. Has an entry for every id. */
export async function loadScores(ctx: Context, agentIds: readonly string[]): Promise<Map<string, Score>> {
  if (agentIds.length === 0) return new Map()
  const rows = await ctx.db.$queryRaw<ScoreRow[]>(
    scoresSql(Prisma.sql`select distinct unnest(${[...agentIds]}::text[])`, await marketPrior(ctx)),
  )
  return new Map(rows.map((row) => [row.agentId, toScore(row)]))
}
