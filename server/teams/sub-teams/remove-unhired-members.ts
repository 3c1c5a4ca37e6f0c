import type { Context } from '../../context.ts'
import { leaveRoom } from '../../conversations/index.ts'
import type { SubTeam } from './sub-team.ts'

/** Removes members from the room that an earlier proposal had hired and this one does not. */
export async function removeUnhiredMembers(tx: Context, before: SubTeam, after: SubTeam): Promise<void> {
  const hired = ({ proposal, roomId }: SubTeam) =>
    new Map(
      (proposal?.charter.steps ?? [])
        .filter((step) => step.room_id === roomId && !step.canceled)
        .map((step) => [step.agent_id, step.sender_id]),
    )
  const now = hired(after)
  for (const [agentId, memberId] of hired(before)) if (!now.has(agentId)) await leaveRoom(tx, { roomId: before.roomId, memberId })
}
