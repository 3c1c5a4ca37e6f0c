import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue, schedule } from '../delivery/index.ts'
import { endUnfinishedTask } from './end-unfinished-task.ts'
import { advanceTask, isLiveTask } from './task.ts'
import { findTask, lockTask } from './task-store.ts'

/** Run by a job: the end of a lease frees the step. A renewed lease is checked again at its end. */
export async function expireTaskLease(ctx: Context, taskId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    if (!(await findTask(tx, taskId))) return
    const task = await lockTask(tx, taskId)
    if (!isLiveTask(task)) return
    const expired = advanceTask(task, { type: 'task.expire', at: tx.clock.now() })
    if (expired.state !== 'failed') {
      await schedule(tx, 'expire-task', { taskId }, { runAt: task.leaseUntil, jobKey: `lease:${taskId}` })
      return
    }
    await postSystemMessage(tx, {
      roomId: task.roomId,
      act: 'error',
      kind: 'task.expired',
      taskId: task.id,
      text: `Step ${task.step} is free again: its agent has been silent too long.`,
      data: { task_id: task.id, step: task.step, agent_id: task.agentId },
    })
    await endUnfinishedTask(tx, expired, 'expired')
    await enqueue(tx, { type: 'task.expired', goal_id: task.goalId as never, task_id: task.id as never })
  })
}
