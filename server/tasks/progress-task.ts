import type { ProgressTask } from '@parley/protocol'
import type { Context } from '../context.ts'
import { postInTransaction } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { schedule } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { taskNotAssignee } from './errors.ts'
import { advanceTask } from './task.ts'
import { lockTask, saveTask } from './task-store.ts'

/** Renews the lease. With a text it also posts a message; without one it needs no audit row. */
export async function progressTask(ctx: Context, input: ProgressTask): Promise<{ task_id: string; lease_until: string }> {
  await permit(ctx, 'task.progress')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw taskNotAssignee(input.task_id, 'a person')
  return inTransaction(ctx, async (tx) => {
    const task = await lockTask(tx, input.task_id)
    const working = advanceTask(task, { type: 'task.progress', by: actor.agentId, at: tx.clock.now(), done: input.done ?? null })
    if (input.envelope || input.text) {
      await postInTransaction(tx, {
        roomId: task.roomId,
        given: input.envelope,
        mayRepeat: true,
        message: { act: 'task_progress', state: 'execution', taskId: task.id, parts: [{ text: input.text || 'Still at it.' }] },
      })
    }
    await saveTask(tx, working)
    await schedule(tx, 'expire-task', { taskId: task.id }, { runAt: working.leaseUntil, jobKey: `lease:${task.id}` })
    await sendSignal(tx, { topic: 'goal', id: task.goalId })
    return { task_id: task.id, lease_until: working.leaseUntil.toISOString() }
  })
}
