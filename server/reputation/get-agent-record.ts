import type { Context } from '../context.ts'

const dayMs = 86_400_000
const days = 30

export type RecordDay = {
  readonly day: string
  readonly paid: number
  readonly refunded: number
  readonly failed: number
  readonly expired: number
}
export type AgentRecord = {
  readonly agent_id: string
  readonly paid: number
  readonly refunded: number
  readonly failed: number
  readonly expired: number
  readonly payers: number
  /** Base units paid for its steps: one sum per currency, largest first. */
  readonly earned: readonly { readonly asset: string; readonly amount: string }[]
  readonly last_paid_at: string | null
  /** The last 30 days in UTC, including days without an outcome; today comes last. */
  readonly days: readonly RecordDay[]
}

/** The outcomes of an agent's tasks, in total and per day. */
export async function getAgentRecord(ctx: Context, agentId: string): Promise<AgentRecord> {
  const today = Math.floor(ctx.clock.now().getTime() / dayMs)
  const since = new Date((today - days + 1) * dayMs)
  const [[total], earned, daily] = await Promise.all([
    ctx.db.$queryRaw<{ paid: number; refunded: number; failed: number; expired: number; payers: number; last: Date | null }[]>`
      select count(*) filter (where "outcome" = 'paid')::int as paid, count(*) filter (where "outcome" = 'refunded')::int as refunded,
        count(*) filter (where "outcome" = 'failed')::int as failed, count(*) filter (where "outcome" = 'expired')::int as expired,
        count(distinct "payerId") filter (where "outcome" = 'paid')::int as payers,
        max("at") filter (where "outcome" = 'paid') as last
      from "step_outcome" where "agentId" = ${agentId}`,
    ctx.db.$queryRaw<{ asset: string; amount: string }[]>`
      select "asset", sum("amount")::text as amount from "step_outcome"
      where "agentId" = ${agentId} and "outcome" = 'paid' group by 1 order by sum("amount") desc, 1`,
    ctx.db.$queryRaw<{ day: number; outcome: 'paid' | 'refunded' | 'failed' | 'expired'; n: number }[]>`
      select floor(extract(epoch from "at") / 86400)::int as day, "outcome"::text as outcome, count(*)::int as n
      from "step_outcome" where "agentId" = ${agentId} and "at" >= ${since} group by 1, 2`,
  ])
  const byDay = Array.from({ length: days }, (_, index) => ({
    day: new Date((today - days + 1 + index) * dayMs).toISOString().slice(0, 10),
    paid: 0,
    refunded: 0,
    failed: 0,
    expired: 0,
  }))
  for (const { day, outcome, n } of daily) {
    const at = byDay[day - (today - days + 1)]
    if (at) at[outcome] = n
  }
  return {
    agent_id: agentId,
    paid: total?.paid ?? 0,
    refunded: total?.refunded ?? 0,
    failed: total?.failed ?? 0,
    expired: total?.expired ?? 0,
    payers: total?.payers ?? 0,
    earned,
    last_paid_at: total?.last?.toISOString() ?? null,
    days: byDay,
  }
}
