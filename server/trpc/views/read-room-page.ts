import type { Context } from '../../context.ts'
import { getConversation, requireReader } from '../../conversations/index.ts'
import { getHead } from '../../delivery/index.ts'
import { goalNotFound } from '../../goals/index.ts'
import { readGoalPage } from './read-goal-page.ts'

/**
 * The page of a sub-team's room: the goal's page with this room in place of the goal's own.
 * @throws goal.not_found
 */
export async function readRoomPage(ctx: Context, input: { goalId: string; roomId: string }) {
  const run = await readGoalPage(ctx, input.goalId)
  const room = run.rooms.find((one) => one.roomId === input.roomId)
  if (!room) throw goalNotFound(input.goalId)
  await requireReader(ctx, room.roomId)
  const [conversation, { head }] = await Promise.all([getConversation(ctx, room.roomId), getHead(ctx, room.roomId)])
  return {
    room,
    run: { ...run, goal: { ...run.goal, roomId: room.roomId, principalId: room.leadId }, conversation, head },
    rootId: run.goal.roomId,
  }
}
