import type { GoalState } from '@parley/protocol'
import type { Context } from '../../context.ts'
import { goalNotClient, goalWrongState } from '../errors.ts'
import type { Goal } from '../goal.ts'
import { lockGoal } from '../goal-store.ts'

/**
 * The acting client's goal in one of these states, locked until the transaction ends.
 * @throws goal.not_found, goal.not_client, goal.wrong_state
 */
export async function requireOwnGoal(tx: Context, goalId: string, verb: string, states: readonly GoalState[]): Promise<Goal> {
  const goal = await lockGoal(tx, goalId)
  const { actor } = tx
  if (actor.kind !== 'person' || goal.clientId !== actor.did) throw goalNotClient(actor.kind === 'person' ? actor.did : actor.kind)
  if (!states.includes(goal.state)) throw goalWrongState(goal.state, verb)
  return goal
}
