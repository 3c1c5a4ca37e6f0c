import type { Context } from '../../context.ts'
import { findCharterRejectedByRail, getCharterApproval } from '../../settlement/index.ts'
import type { Goal } from '../goal.ts'
import type { ContestEntry } from './entry.ts'

/**
 * The state of the charter of a chosen entry. `approved`: by the client, or in force after its veto window. `refused`: vetoed by the
 * client, or rejected permanently by the rail, so that another entry can be chosen.
 */
export type ChosenEntryCharterState = 'open' | 'approved' | 'refused'

export async function readChosenEntryCharterState(tx: Context, goalId: string): Promise<ChosenEntryCharterState> {
  const { state, version } = await getCharterApproval(tx, goalId)
  const rejected = await findCharterRejectedByRail(tx, goalId)
  if (state === 'vetoed' || rejected?.version === version) return 'refused'
  return state === 'approved' || state === 'in_force' ? 'approved' : 'open'
}

/** Whether the client can choose an entry: while nothing is chosen, or after the charter of `chosen` was vetoed or rejected. */
export async function isChoiceOpen(tx: Context, goal: Goal, chosen: ContestEntry | null): Promise<boolean> {
  if (goal.contest === null) return false
  if (chosen === null) return goal.state === 'open'
  return goal.state === 'underway' && (await readChosenEntryCharterState(tx, goal.id)) === 'refused'
}
