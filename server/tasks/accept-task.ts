import type { AcceptTask } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { requireMember } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { getTeam } from '../teams/index.ts'
import { wake } from '../wake.ts'
import { taskNotClient, taskNotFound } from './errors.ts'
import { listTasks, saveTask } from './store.ts'
import { advanceTask } from './task.ts'

/** The client (or the review clock) approves completed work; this is what lets the money go. */
export async function acceptTask(ctx: Context, input: AcceptTask): Promise<{ accepted: string[] }> {
  await permit(ctx, 'task.accept')
  return inTransaction(ctx, async (tx) => {
    const team = await getTeam(tx, input.goal_id)
    if (tx.actor.kind !== 'system') {
      const member = await requireMember(tx, team.groupId)
      if (member.role !== 'client') throw taskNotClient(member.memberId)
    }
    const tasks = await listTasks(tx, input.goal_id)
    const missing = input.task_ids?.find((id) => !tasks.some((task) => task.id === id))
    if (missing !== undefined) throw taskNotFound(missing)
    const chosen = tasks.filter((task) =>
      input.task_ids ? input.task_ids.includes(task.id as never) : task.state === 'completed' && task.acceptance === 'pending',
    )
    const accepted: string[] = []
    for (const task of chosen) {
      if (task.state === 'completed' && task.acceptance === 'accepted') continue
      await saveTask(tx, advanceTask(task, { type: 'task.accept' }))
      accepted.push(task.id)
    }
    if (accepted.length > 0) await appendAudit(tx, { chain: input.goal_id, action: 'task.accept', after: { task_ids: accepted } })
    await enqueue(tx, { type: 'task.accepted', goal_id: input.goal_id })
    await wake(tx, { topic: 'goal', id: input.goal_id })
    return { accepted }
  })
}
