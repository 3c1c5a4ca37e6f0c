import type { FailTask } from '@parley/protocol'
import type { Context } from '../context.ts'
import { postInTransaction } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { endUnfinishedTask } from './end-unfinished-task.ts'
import { taskNotAssignee } from './errors.ts'
import { advanceTask, type EndedTask } from './task.ts'
import { lockTask } from './task-store.ts'

/** An agent fails a task, with a reason. The step is free for another agent. */
export async function failTask(ctx: Context, input: FailTask): Promise<{ task_id: string }> {
  await permit(ctx, 'task.fail')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw taskNotAssignee(input.task_id, 'a person')
  return inTransaction(ctx, async (tx) => {
    const task = await lockTask(tx, input.task_id)
    if (task.agentId === actor.agentId) await claimIdempotencyKey(tx, input.task_id, input)
    if (task.state === 'failed' && task.agentId === actor.agentId) return { task_id: task.id }
    const failed = advanceTask(task, { type: 'task.fail', by: actor.agentId, at: tx.clock.now(), reason: input.reason })
    await postInTransaction(tx, {
      roomId: task.roomId,
      given: input.envelope,
      records: { text: input.reason },
      message: { act: 'error', taskId: task.id, parts: [{ text: input.reason }] },
    })
    await endUnfinishedTask(tx, failed as EndedTask, 'failed')
    await enqueue(tx, { type: 'task.failed', goal_id: task.goalId as never, task_id: input.task_id })
    return { task_id: task.id }
  })
}
