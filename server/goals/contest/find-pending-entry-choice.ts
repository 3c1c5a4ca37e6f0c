import type { Context } from '../../context.ts'
import type { Goal } from '../goal.ts'
import { decisionDueAt } from './next-contest-action.ts'
import { readContestTerms } from './read-contest-terms.ts'

/** Entries that wait for the client's choice. `isClosed`: no other entry is accepted. */
export type PendingEntryChoice = { readonly entries: number; readonly isClosed: boolean; readonly dueAt: Date }

/** Null if no entry waits for the client: of a goal that is no open contest, or where the check decides. */
export async function findPendingEntryChoice(ctx: Context, goal: Goal): Promise<PendingEntryChoice | null> {
  if (goal.contest === null || goal.state !== 'open' || goal.contest.check !== undefined) return null
  const entries = await ctx.db.entry.count({ where: { goalId: goal.id, state: 'submitted' } })
  if (entries === 0) return null
  const isClosed = ctx.clock.now() >= new Date(goal.contest.entries_by)
  return { entries, isClosed, dueAt: decisionDueAt(await readContestTerms(ctx, goal)) }
}
