import type { DeclineTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postInTransaction } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { teamNotMember } from './errors.ts'
import { declineSubTeam } from './sub-teams/accept-or-decline-sub-team.ts'
import { subTeamIn } from './sub-teams/sub-team-store.ts'
import { advanceTeam } from './team.ts'
import { lockTeam, saveTeam } from './team-store.ts'

/** A member declines. The principal proposes a version without it; until then it stays in the room. */
export async function declineTeam(ctx: Context, input: DeclineTeam): Promise<{ goal_id: string }> {
  await permit(ctx, 'team.decline')
  if (ctx.actor.kind !== 'agent') throw teamNotMember('a person')
  const { agentId } = ctx.actor
  return inTransaction(ctx, async (tx) => {
    const roomId = await subTeamIn(tx, input)
    if (roomId !== null) return declineSubTeam(tx, { roomId, agentId, command: input })
    const team = await lockTeam(tx, input.goal_id)
    const member = team.members.find((one) => one.agentId === agentId)
    if (member) await claimIdempotencyKey(tx, team.charterHash, input)
    if (member?.answer === 'declined') return { goal_id: team.goalId }
    const checked = advanceTeam(team, { type: 'team.decline', agentId, reason: input.reason, envelopeId: '' })
    const posted = await postInTransaction(tx, {
      roomId: team.roomId,
      given: input.envelope,
      records: { text: input.reason },
      message: { act: 'decline', parts: [{ text: input.reason }] },
    })
    await saveTeam(tx, {
      ...checked,
      members: checked.members.map((one) => (one.agentId === agentId ? { ...one, envelopeId: posted.id } : one)),
    })
    await appendAudit(tx, { stream: team.goalId, action: 'team.decline', after: { agent_id: agentId, reason: input.reason } })
    await enqueue(tx, { type: 'team.declined', goal_id: team.charter.goal_id, agent_id: agentId })
    return { goal_id: team.goalId }
  })
}
