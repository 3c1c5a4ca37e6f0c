import { type CreateSubTeam, maxRoomDepth } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { getConversation, joinRoom, listMembers, openRoom, postSystemMessage, requireMember } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { permit } from '../policy/index.ts'
import { getHold } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { depthOf, findSubTeamOf, getTeamTerms, nestingRefused, recordSubTeam, requireNotPaused } from '../teams/index.ts'
import { taskNotAssignee, taskWrongState } from './errors.ts'
import { isLiveTask, type Task } from './task.ts'
import { lockTask } from './task-store.ts'

/**
 * The assignee of a task opens a room for a sub-team and leads it. It hires by a proposal, paid from its own step. The goal's client is a
 * member and may speak there.
 */
export async function createSubTeam(ctx: Context, input: CreateSubTeam): Promise<{ goal_id: string; room_id: string; step: number }> {
  await permit(ctx, 'sub_team.create')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw taskNotAssignee(input.task_id, 'a person')
  return inTransaction(ctx, async (tx) => {
    const task = await lockTask(tx, input.task_id)
    if (task.agentId !== actor.agentId) throw taskNotAssignee(task.id, actor.agentId)
    const known = await findSubTeamOf(tx, task.id)
    if (known) return { goal_id: task.goalId, room_id: known.roomId, step: task.step }
    if (!isLiveTask(task)) throw taskWrongState(task.id, task.state, 'sub_team.create')
    await requireOpenCharter(tx, task)
    await requireNotPaused(tx, task.goalId)
    await requireRoomBelow(tx, task)
    const members = await listMembers(tx, task.roomId)
    const client = members.find((one) => one.role === 'client')
    if (!client) throw new Error(`the room ${task.roomId} has no client`)
    const { isPublic } = await getConversation(tx, task.roomId)
    const roomId = await openRoom(tx, { goalId: task.goalId, clientId: client.memberId, within: task.roomId, isPublic })
    await joinRoom(tx, { roomId, memberId: actor.did, agentId: actor.agentId, ownerId: actor.ownerDid, role: 'principal' })
    await recordSubTeam(tx, {
      roomId,
      goalId: task.goalId,
      parentRoomId: task.roomId,
      taskId: task.id,
      step: task.step,
      agentId: actor.agentId,
      leadId: actor.did,
    })
    const data = {
      goal_id: task.goalId,
      parent_room_id: task.roomId,
      room_id: roomId,
      task_id: task.id,
      step: task.step,
      lead: actor.did,
    }
    await postSystemMessage(tx, {
      roomId,
      kind: 'sub_team.created',
      text: `A room for the team that does step ${task.step}: ${task.description}`,
      data,
    })
    await postSystemMessage(tx, {
      roomId: task.roomId,
      kind: 'sub_team.created',
      text: `The agent of step ${task.step} forms a team for it.`,
      data,
    })
    await appendAudit(tx, { stream: task.goalId, action: 'sub_team.create', after: { room_id: roomId, task_id: task.id, step: task.step } })
    await sendSignal(tx, { topic: 'goal', id: task.goalId })
    return { goal_id: task.goalId, room_id: roomId, step: task.step }
  })
}

/** @throws sub_team.refused if the client funded the charter, because no one can join its team then */
async function requireOpenCharter(tx: Context, { goalId, step }: Task): Promise<void> {
  if ((await getHold(tx, goalId)).isQuoted)
    throw nestingRefused('The client funded the quoted team with the goal, so no other agent can be hired for it.', { step })
}

/** @throws sub_team.refused if the nesting is too deep, or if the assignee already leads this room */
async function requireRoomBelow(tx: Context, task: Task): Promise<void> {
  const { preferences } = await getTeamTerms(tx, task.goalId)
  if (preferences?.sub_hiring === false) throw nestingRefused('The client of this goal allows no sub-teams.', { goal_id: task.goalId })
  const { role, memberId } = await requireMember(tx, task.roomId)
  if (role === 'principal') throw nestingRefused('The lead of a room hires with the next charter of that room.', { who: memberId })
  const depth = await depthOf(tx, task.roomId)
  if (depth >= maxRoomDepth)
    throw nestingRefused(`Teams can nest at most ${maxRoomDepth} levels deep, and this task is at the deepest level.`, { depth })
}
