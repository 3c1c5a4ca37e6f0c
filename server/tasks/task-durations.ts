import type { Context } from '../context.ts'
import { Prisma } from '../db.ts'

/** How long an agent needs for a skill: the median over `n` completed tasks, from assignment to result. */
export type TaskDuration = { readonly agentId: string; readonly skillId: string; readonly n: number; readonly seconds: number }

const lastDays = 90

/** The measured durations of these agents in the last months. Agents without completed tasks have no entry. */
export async function listTaskDurations(ctx: Context, agentIds: readonly string[]): Promise<TaskDuration[]> {
  if (agentIds.length === 0) return []
  const since = new Date(ctx.clock.now().getTime() - lastDays * 86_400_000)
  return ctx.db.$queryRaw<TaskDuration[]>`
    select t."agentId", s."skillId", count(*)::int as "n",
      percentile_cont(0.5) within group (order by extract(epoch from t."endedAt" - t."assignedAt"))::float8 as "seconds"
    from "task" t join "step" s on s."goalId" = t."goalId" and s."step" = t."step" and s."agentId" = t."agentId"
    where t."state" = 'completed' and t."endedAt" > ${since} and t."agentId" in (${Prisma.join([...agentIds])})
    group by t."agentId", s."skillId"`
}
