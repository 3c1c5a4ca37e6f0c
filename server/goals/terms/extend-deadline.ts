import type { ExtendDeadline } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { schedule } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { getHold } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { goalDeadlinePassed, goalExtensionTooFar } from '../errors.ts'
import { advanceGoal } from '../goal.ts'
import { saveGoal } from '../goal-store.ts'
import { requireOwnGoal } from './require-own-goal.ts'

/**
 * The client gives the team more time. The terms name the latest deadline, and all deadlines of the rail count from it, so nothing changes
 * there and no signature is needed.
 * @throws goal.not_client, goal.wrong_state, goal.deadline_passed, goal.deadline_too_far
 */
export async function extendDeadline(ctx: Context, input: ExtendDeadline): Promise<{ goal_id: string; deadline: string }> {
  await permit(ctx, 'deadline.extend')
  return inTransaction(ctx, async (tx) => {
    const goal = await requireOwnGoal(tx, input.goal_id, 'deadline.extend', ['open', 'underway', 'review'])
    const deadline = new Date(input.deadline)
    const answer = { goal_id: goal.id, deadline: deadline.toISOString() }
    if (deadline.getTime() === goal.deadline.getTime()) return answer
    const now = tx.clock.now()
    // After the deadline the planner has ended its work.
    if (goal.deadline <= now) throw goalDeadlinePassed(goal.deadline, now)
    if (deadline < goal.deadline) throw goalDeadlinePassed(deadline, goal.deadline)
    const latest = new Date((await getHold(tx, goal.id)).workBy * 1_000)
    if (deadline > latest) throw goalExtensionTooFar(deadline, latest)
    const extended = advanceGoal(goal, { type: 'deadline.extend', deadline })
    await saveGoal(tx, extended)
    if (goal.state === 'underway') {
      await schedule(tx, 'expire-revision', { goalId: goal.id }, { runAt: deadline, jobKey: `revision:${goal.id}` })
    }
    await postSystemMessage(tx, {
      roomId: goal.roomId,
      kind: 'deadline.extended',
      text: `The client extends the deadline to ${answer.deadline}.`,
      data: answer,
    })
    const [before, after] = [{ deadline: goal.deadline.toISOString() }, { deadline: answer.deadline }]
    await appendAudit(tx, { stream: goal.id, action: 'deadline.extend', before, after })
    await sendSignal(tx, { topic: 'goal', id: goal.id })
    return answer
  })
}
