import type { Context } from '../../context.ts'
import type { Goal } from '../goal.ts'
import { contestTermsOf } from './contest-terms.ts'
import { decisionDueAt } from './decide-contest.ts'

/** Entries that wait for the client's choice. `isClosed`: no other entry is accepted. */
export type OpenDecision = { readonly entries: number; readonly isClosed: boolean; readonly dueAt: Date }

/** Null if no entry waits for the client: of a goal that is no open contest, or where the check decides. */
export async function findOpenDecision(ctx: Context, goal: Goal): Promise<OpenDecision | null> {
  if (goal.contest === null || goal.state !== 'open' || goal.contest.check !== undefined) return null
  const entries = await ctx.db.entry.count({ where: { goalId: goal.id, state: 'submitted' } })
  if (entries === 0) return null
  const isClosed = ctx.clock.now() >= new Date(goal.contest.entries_by)
  return { entries, isClosed, dueAt: decisionDueAt(await contestTermsOf(ctx, goal)) }
}
