import type { ReturnTask } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage, requireMember } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { deleteStepSubmissionSignature, isOutsideReview, listPayouts } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { getTeam, listSteps } from '../../teams/index.ts'
import { taskDisputed, taskNotClient, taskNotFound, taskSubmitted, taskWrongState } from '../errors.ts'
import { advanceTask } from '../task.ts'
import { listTasks, saveTask } from '../task-store.ts'

/**
 * The client returns work, with a reason for the room. Allowed only when all steps are done or the goal has failed, so that it puts no
 * pressure on a working team. Final. The amount is refunded unless its payee disputes.
 * @throws task.disputed for a disputed or split step, task.submitted for a step that was submitted on chain
 */
export async function returnTask(ctx: Context, input: ReturnTask): Promise<{ returned: string[] }> {
  await permit(ctx, 'task.return')
  return inTransaction(ctx, async (tx) => {
    const team = await getTeam(tx, input.goal_id)
    if (tx.actor.kind !== 'system') {
      const member = await requireMember(tx, team.roomId)
      if (member.role !== 'client') throw taskNotClient(member.memberId)
    }
    const tasks = await listTasks(tx, input.goal_id)
    const payouts = await listPayouts(tx, { goalId: input.goal_id })
    const steps = await listSteps(tx, input.goal_id)
    const isUnderWay =
      team.state !== 'disbanded' && steps.some((step) => !step.canceled && (step.state === 'planned' || step.state === 'assigned'))
    const returned: string[] = []
    for (const id of input.task_ids) {
      const task = tasks.find((one) => one.id === id)
      if (!task) throw taskNotFound(id)
      await claimIdempotencyKey(tx, id, { type: input.type, reason: input.reason })
      if (task.state === 'completed' && task.acceptance === 'returned') continue
      const payout = payouts.find((one) => one.step === task.step)
      if (payout && isOutsideReview(payout)) {
        // The end of a review decides what the client has left open, and nothing else.
        if (tx.actor.kind === 'system') continue
        throw taskDisputed(id, task.step, payout.state)
      }
      if (isUnderWay) throw taskWrongState(id, 'part of work that is still under way', 'task.return')
      const isWithdrawn = await deleteStepSubmissionSignature(tx, { goalId: input.goal_id, step: task.step })
      // By the terms of such a goal the escrow refunds a submitted step, too.
      if (!isWithdrawn && tx.actor.kind !== 'system') throw taskSubmitted(id, task.step)
      await saveTask(tx, advanceTask(task, { type: 'task.return', reason: input.reason }))
      returned.push(id)
    }
    if (returned.length > 0) {
      await postSystemMessage(tx, {
        roomId: team.roomId,
        kind: 'task.returned',
        text: `${tx.actor.kind === 'system' ? 'The end of the review' : 'The client'} returns ${returned.length === 1 ? 'a step' : `${returned.length} steps`}: ${input.reason}`,
        data: { task_ids: returned, reason: input.reason },
      })
      await appendAudit(tx, { stream: input.goal_id, action: 'task.return', after: { task_ids: returned, reason: input.reason } })
    }
    await enqueue(tx, { type: 'task.returned', goal_id: input.goal_id })
    await sendSignal(tx, { topic: 'goal', id: input.goal_id })
    return { returned }
  })
}
