import type { Context } from '../../context.ts'
import { findRejectedCharter, getApproval } from '../../settlement/index.ts'

/**
 * The state of the charter of a chosen entry. `approved`: by the client, or in force after its veto window. `refused`: vetoed by the
 * client, or rejected permanently by the rail, so that another entry can be chosen.
 */
export type ChosenCharterState = 'open' | 'approved' | 'refused'

export async function readChosenCharterState(tx: Context, goalId: string): Promise<ChosenCharterState> {
  const { state, version } = await getApproval(tx, goalId)
  const rejected = await findRejectedCharter(tx, goalId)
  if (state === 'vetoed' || rejected?.version === version) return 'refused'
  return state === 'approved' || state === 'in_force' ? 'approved' : 'open'
}
