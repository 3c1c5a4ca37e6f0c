import type { PauseGoal } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { getTeamTerms, savePause } from '../../teams/index.ts'
import { requireOwnGoal } from './require-own-goal.ts'

/**
 * The client pauses new work: no claim, no team, no assignment. Running tasks may end, and the deadlines of goal and rail continue. So the
 * money is never held longer than its terms say.
 * @throws goal.not_client, goal.wrong_state
 */
export async function pauseGoal(ctx: Context, input: PauseGoal): Promise<{ goal_id: string; paused: boolean }> {
  await permit(ctx, 'goal.pause')
  return inTransaction(ctx, async (tx) => {
    const goal = await requireOwnGoal(tx, input.goal_id, 'goal.pause', ['open', 'underway'])
    if ((await getTeamTerms(tx, goal.id)).pausedAt !== null) return { goal_id: goal.id, paused: true }
    await savePause(tx, goal.id, tx.clock.now())
    await postSystemMessage(tx, {
      roomId: goal.roomId,
      kind: 'goal.paused',
      text: 'The client pauses the goal. No new step begins; running steps can end. The deadline does not move.',
      data: { goal_id: goal.id, deadline: goal.deadline.toISOString() },
    })
    await appendAudit(tx, { stream: goal.id, action: 'goal.pause', after: { paused: true } })
    await sendSignal(tx, { topic: 'goal', id: goal.id })
    return { goal_id: goal.id, paused: true }
  })
}
