import type { ResumeGoal } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { getTeamTerms, savePause } from '../../teams/index.ts'
import { requireOwnGoal } from './require-own-goal.ts'

/**
 * The client ends the pause of its goal.
 * @throws goal.not_client, goal.wrong_state
 */
export async function resumeGoal(ctx: Context, input: ResumeGoal): Promise<{ goal_id: string; paused: boolean }> {
  await permit(ctx, 'goal.resume')
  return inTransaction(ctx, async (tx) => {
    const goal = await requireOwnGoal(tx, input.goal_id, 'goal.resume', ['open', 'underway', 'review'])
    if ((await getTeamTerms(tx, goal.id)).pausedAt === null) return { goal_id: goal.id, paused: false }
    await savePause(tx, goal.id, null)
    await postSystemMessage(tx, {
      roomId: goal.roomId,
      kind: 'goal.resumed',
      text: 'The client resumes the goal.',
      data: { goal_id: goal.id },
    })
    await appendAudit(tx, { stream: goal.id, action: 'goal.resume', after: { paused: false } })
    await sendSignal(tx, { topic: 'goal', id: goal.id })
    return { goal_id: goal.id, paused: false }
  })
}
