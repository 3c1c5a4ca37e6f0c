import type { Context } from '../../context.ts'
import type { SubTeam } from './sub-team.ts'
import { findSubTeam } from './sub-team-store.ts'

/** Records the sub-team of a room. Part of the transaction that opens the room. */
export async function recordSubTeam(
  tx: Context,
  input: Pick<SubTeam, 'roomId' | 'goalId' | 'parentRoomId' | 'taskId' | 'step' | 'agentId' | 'leadId'>,
): Promise<void> {
  await tx.db.subTeam.create({ data: { ...input, openedAt: tx.clock.now() } })
}

/** The nesting depth of a room: 0 for the goal's own. */
export async function depthOf(ctx: Context, roomId: string): Promise<number> {
  let depth = 0
  for (let team = await findSubTeam(ctx, roomId); team; team = await findSubTeam(ctx, team.parentRoomId)) depth++
  return depth
}
