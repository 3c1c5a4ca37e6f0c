import type { AcceptTask } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { requireMember } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { enqueue } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { isOutsideReview, listPayouts } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { getTeam, listSubTeams } from '../../teams/index.ts'
import { nothingToAccept, taskDisputed, taskNotClient, taskNotFound } from '../errors.ts'
import { advanceTask, type Task } from '../task.ts'
import { listTasks, saveTask } from '../task-store.ts'

/**
 * The client, or the expiry of the review, accepts completed work, which releases its payment. Without ids it accepts all pending tasks
 * and skips disputed or split steps, which `disputed` names.
 * @throws task.disputed for an id of such a step, goal.incomplete if no work was submitted
 */
export async function acceptTask(ctx: Context, input: AcceptTask): Promise<{ accepted: string[]; disputed: string[] }> {
  await permit(ctx, 'task.accept')
  return inTransaction(ctx, async (tx) => {
    const team = await getTeam(tx, input.goal_id)
    if (tx.actor.kind !== 'system') {
      const member = await requireMember(tx, team.roomId)
      if (member.role !== 'client') throw taskNotClient(member.memberId)
    }
    const tasks = await listTasks(tx, input.goal_id)
    const missing = input.task_ids?.find((id) => !tasks.some((task) => task.id === id))
    if (missing !== undefined) throw taskNotFound(missing)
    const named = input.task_ids && (await withPartsOf(tx, input.goal_id, tasks, input.task_ids))
    const chosen = tasks.filter((task) => (named ? named.has(task.id) : task.state === 'completed' && task.acceptance === 'pending'))
    // The expiry of a review with only returned work has nothing to accept; a client gets an error.
    if (tx.actor.kind === 'person' && !named && !tasks.some((task) => task.state === 'completed'))
      throw nothingToAccept(tasks.filter((task) => task.state !== 'completed').map((task) => task.step))
    const apart = new Map(
      (await listPayouts(tx, { goalId: input.goal_id })).filter(isOutsideReview).map(({ step, state }) => [step, state]),
    )
    const accepted: string[] = []
    const disputed: string[] = []
    for (const task of chosen) {
      if (task.state === 'completed' && task.acceptance === 'accepted') continue
      const state = apart.get(task.step)
      if (state !== undefined) {
        if (input.task_ids?.includes(task.id as never)) throw taskDisputed(task.id, task.step, state)
        disputed.push(task.id)
        continue
      }
      await saveTask(tx, advanceTask(task, { type: 'task.accept' }))
      accepted.push(task.id)
    }
    if (accepted.length > 0) await appendAudit(tx, { stream: input.goal_id, action: 'task.accept', after: { task_ids: accepted } })
    await enqueue(tx, { type: 'task.accepted', goal_id: input.goal_id })
    await sendSignal(tx, { topic: 'goal', id: input.goal_id })
    return { accepted, disputed }
  })
}

/** Accepting a task also accepts the pending tasks of its sub-teams, recursively. */
async function withPartsOf(tx: Context, goalId: string, tasks: readonly Task[], ids: readonly string[]): Promise<Set<string>> {
  const named = new Set(ids)
  const teams = await listSubTeams(tx, goalId)
  // Oldest first: a team is older than its sub-teams.
  for (const team of teams) {
    if (!named.has(team.taskId)) continue
    for (const task of tasks)
      if (task.roomId === team.roomId && task.state === 'completed' && task.acceptance === 'pending') named.add(task.id)
  }
  return named
}
