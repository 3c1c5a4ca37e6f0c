import { maxRoomDepth, type NestTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { getConversation, joinRoom, listMembers, openRoom, postSystemMessage, requireMember } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { permit } from '../policy/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { depthOf, findSubTeamOf, nestingRefused, openSubTeam } from '../teams/index.ts'
import { taskNotAssignee, taskWrongState } from './errors.ts'
import { lockTask } from './store.ts'
import { isLiveTask, type Task } from './task.ts'

/**
 * The assignee of a task opens a room for a sub-team and leads it. It hires by a proposal, paid from its own step. The goal's client is a
 * member and may speak there.
 */
export async function nestTeam(ctx: Context, input: NestTeam): Promise<{ goal_id: string; group_id: string; step: number }> {
  await permit(ctx, 'team.nest')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw taskNotAssignee(input.task_id, 'a person')
  return inTransaction(ctx, async (tx) => {
    const task = await lockTask(tx, input.task_id)
    if (task.agentId !== actor.agentId) throw taskNotAssignee(task.id, actor.agentId)
    const known = await findSubTeamOf(tx, task.id)
    if (known) return { goal_id: task.goalId, group_id: known.groupId, step: task.step }
    if (!isLiveTask(task)) throw taskWrongState(task.id, task.state, 'team.nest')
    await requireRoomBelow(tx, task)
    const members = await listMembers(tx, task.groupId)
    const client = members.find((one) => one.role === 'client')
    if (!client) throw new Error(`the room ${task.groupId} has no client`)
    const { isPublic } = await getConversation(tx, task.groupId)
    const groupId = await openRoom(tx, { goalId: task.goalId, clientId: client.memberId, within: task.groupId, isPublic })
    await joinRoom(tx, { groupId, memberId: actor.did, agentId: actor.agentId, ownerId: actor.ownerDid, role: 'principal' })
    await openSubTeam(tx, {
      groupId,
      goalId: task.goalId,
      parentGroupId: task.groupId,
      taskId: task.id,
      step: task.step,
      agentId: actor.agentId,
      leadId: actor.did,
    })
    const data = {
      goal_id: task.goalId,
      parent_group_id: task.groupId,
      group_id: groupId,
      task_id: task.id,
      step: task.step,
      lead: actor.did,
    }
    await postSystemMessage(tx, {
      groupId,
      kind: 'team.nested',
      text: `A room for the team that does step ${task.step}: ${task.description}`,
      data,
    })
    await postSystemMessage(tx, {
      groupId: task.groupId,
      kind: 'team.nested',
      text: `Whoever has step ${task.step} forms a team for it.`,
      data,
    })
    await appendAudit(tx, { chain: task.goalId, action: 'team.nest', after: { group_id: groupId, task_id: task.id, step: task.step } })
    await sendSignal(tx, { topic: 'goal', id: task.goalId })
    return { goal_id: task.goalId, group_id: groupId, step: task.step }
  })
}

/** @throws team.nesting_refused if the nesting is too deep, or if the assignee already leads this room */
async function requireRoomBelow(tx: Context, task: Task): Promise<void> {
  const { role, memberId } = await requireMember(tx, task.groupId)
  if (role === 'principal') throw nestingRefused('The lead of a room hires with the next charter of that room.', { who: memberId })
  const depth = await depthOf(tx, task.groupId)
  if (depth >= maxRoomDepth)
    throw nestingRefused(`Teams can nest at most ${maxRoomDepth} levels deep, and this task is at the deepest level.`, { depth })
}
