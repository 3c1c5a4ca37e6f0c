import type { Charter } from '@parley/protocol'
import type { Context } from '../context.ts'
import { joinRoom, leaveRoom, postSystemMessage } from '../conversations/index.ts'
import { getAgentInboxId, getListing } from '../registry/index.ts'
import { carryOverAcceptance } from './carry-over-acceptance.ts'
import { findAcceptanceRoom } from './charters/find-acceptance-room.ts'
import { listSteps } from './charters/step-store.ts'
import { advisersOf, inForceOf, membersOf, type Team } from './team.ts'
import { getTeam, storedInForce } from './team-store.ts'

/**
 * `team`: before the proposal. `isAgreed`: whether the charter in force has all signatures. Then all members sign the next one too.
 */
type Proposal = { readonly charter: Charter; readonly hash: string; readonly team: Team | null; readonly isAgreed: boolean }

/** Stores a proposal with the answers that its members carry over from the charter before. */
export async function saveTeamProposal(tx: Context, { charter, hash, team, isAgreed }: Proposal): Promise<void> {
  const row = {
    roomId: charter.room_id,
    state: 'forming' as const,
    version: charter.version,
    charter: charter as object,
    charterHash: hash,
    principalId: charter.principal_id,
    proposedAt: tx.clock.now(),
    sealedAt: null,
    recordedAt: null,
    agreed: false,
    inForce: storedInForce(team && inForceOf(team)),
  }
  if (team) await tx.db.team.update({ where: { goalId: charter.goal_id }, data: { ...row, rowVersion: { increment: 1 } } })
  else await tx.db.team.create({ data: { goalId: charter.goal_id, ...row } })
  const steps = await listSteps(tx, charter.goal_id)
  const answers = membersOf(charter).map((member) => carryOverAcceptance(member, charter, isAgreed ? null : team, steps))
  await tx.db.teamMember.createMany({
    data: answers.map((answer) => ({ goalId: charter.goal_id, version: charter.version, ...answer })),
  })
  const carried = answers.filter((answer) => answer.answer === 'accepted')
  if (carried.length === 0) return
  await postSystemMessage(tx, {
    roomId: charter.room_id,
    kind: 'charter.carried_over',
    text: `${carried.length === 1 ? 'A member has' : `${carried.length} members have`} done all of their steps and need not sign again.`,
    data: { version: charter.version, charter_hash: hash, members: carried.map((answer) => answer.did) },
  })
}

/** Members and advisers join the room; former ones leave it. Members that have to answer get an invitation. */
export async function inviteMembers(tx: Context, { charter, hash, team, isAgreed }: Proposal): Promise<void> {
  const members = membersOf(charter)
  const advisers = advisersOf(charter)
  for (const former of [...(team?.members ?? []), ...(team ? advisersOf(team.charter) : [])]) {
    if (![...members, ...advisers].some((member) => member.agentId === former.agentId))
      await leaveRoom(tx, { roomId: charter.room_id, memberId: former.did })
  }
  for (const { agentId, did } of advisers) {
    const { owner_id: ownerId } = await getListing(tx, agentId)
    await joinRoom(tx, { roomId: charter.room_id, memberId: did, agentId, ownerId, role: 'member' })
  }
  const { members: answers } = await getTeam(tx, charter.goal_id)
  for (const member of members) {
    const roomId = findAcceptanceRoom(charter, member.agentId, charter.room_id)
    // An agent of a sub-team stays in its own room, and is invited only if it has to sign.
    if (roomId === charter.room_id) {
      const { owner_id: ownerId } = await getListing(tx, member.agentId)
      await joinRoom(tx, { roomId, memberId: member.did, agentId: member.agentId, ownerId, role: 'member' })
    } else if (answers.find((one) => one.agentId === member.agentId)?.answer === 'accepted') continue
    await postSystemMessage(tx, {
      roomId: await getAgentInboxId(tx, member.agentId),
      act: 'invite',
      kind: 'team.invite',
      data: {
        goal_id: charter.goal_id,
        room_id: roomId,
        charter: charter as never,
        charter_hash: hash,
        member_signature: isAgreed ? 'requested' : 'none',
      },
    })
  }
}
