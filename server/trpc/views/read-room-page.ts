import type { Context } from '../../context.ts'
import { getConversation, requireReader } from '../../conversations/index.ts'
import { getHead } from '../../delivery/index.ts'
import { goalNotFound } from '../../goals/index.ts'
import { readGoalPage } from './read-goal-page.ts'

/**
 * The page of a sub-team's room: the goal's page with this room in place of the goal's own.
 * @throws goal.not_found
 */
export async function readRoomPage(ctx: Context, input: { goalId: string; groupId: string }) {
  const run = await readGoalPage(ctx, input.goalId)
  const room = run.rooms.find((one) => one.groupId === input.groupId)
  if (!room) throw goalNotFound(input.goalId)
  await requireReader(ctx, room.groupId)
  const [conversation, { head }] = await Promise.all([getConversation(ctx, room.groupId), getHead(ctx, room.groupId)])
  return {
    room,
    run: { ...run, goal: { ...run.goal, groupId: room.groupId, principalId: room.leadId }, conversation, head },
    rootId: run.goal.groupId,
  }
}
