import { type Charter, charterFaults, charterHash, type ProposeTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { joinRoom, leaveRoom, postInTransaction, postSystemMessage, requireMember } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { getInbox, getListing } from '../registry/index.ts'
import { requiresCharterSignatures } from '../settlement/index.ts'
import { carryOverAnswer } from './carry-over-answer.ts'
import { requireConfirmed } from './charters/charter-draft.ts'
import { listSteps, unchangedStepFaults } from './charters/charter-steps.ts'
import { findAnswerRoom } from './charters/find-answer-room.ts'
import { findCharterFaults } from './charters/find-charter-faults.ts'
import { findNestedStepFaults } from './charters/find-nested-step-faults.ts'
import { teamCharterInvalid, teamNotPrincipal, teamWrongState } from './errors.ts'
import { checkMemberSignature, keepMemberSignature, signatureIn } from './member-signature.ts'
import { findTeam, getTeam, storedInForce } from './store.ts'
import { proposeSubTeam } from './sub-teams/propose-sub-team.ts'
import { listSubTeams, subTeamIn } from './sub-teams/sub-team-store.ts'
import { advisersOf, inForceOf, membersOf, type Team } from './team.ts'
import { requireNotPaused } from './team-terms.ts'

/** The principal, or the lead of a sub-team, proposes a charter or its next version. This invites its members. */
export async function proposeTeam(ctx: Context, input: ProposeTeam): Promise<{ version: number; charter_hash: string }> {
  await permit(ctx, 'team.propose')
  const { charter } = input
  const hash = await charterHash(charter)
  const given = signatureIn(input, 'charter')
  const agentId = ctx.actor.kind === 'agent' ? ctx.actor.agentId : ''
  if (given && charter.goal_id === input.goal_id) await checkMemberSignature(ctx, { charter, charterHash: hash, agentId, given })
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "hold" where "goalId" = ${input.goal_id} for update`
    await requireNotPaused(tx, input.goal_id)
    const roomId = await subTeamIn(tx, input)
    if (roomId !== null) return proposeSubTeam(tx, { roomId, command: input, hash, given })
    const team = await findTeam(tx, input.goal_id)
    const member = await requireMember(tx, charter.room_id)
    if (member.role !== 'principal') throw teamNotPrincipal(member.memberId)
    if (team?.charterHash === hash) {
      await claimIdempotencyKey(tx, hash, input)
      return { version: team.version, charter_hash: hash }
    }
    if (team?.state === 'disbanded') throw teamWrongState('disbanded', 'forming or sealed')
    await requireConfirmed(tx, { roomId: charter.room_id, goalId: input.goal_id, charterHash: hash })
    const steps = await listSteps(tx, input.goal_id)
    const faults = [
      ...charterFaults(charter),
      ...(await findCharterFaults(tx, {
        goalId: input.goal_id,
        charter,
        principal: member.memberId,
        team,
        steps,
        mayChange: (step) => step.parent === undefined,
      })),
      ...unchangedStepFaults(steps, charter),
      ...findNestedStepFaults(team?.charter ?? null, charter, await listSubTeams(tx, input.goal_id)),
    ]
    if (faults.length > 0) throw teamCharterInvalid(faults)
    const isAgreed = await requiresCharterSignatures(tx, input.goal_id)
    const data = { kind: 'charter', charter, charter_hash: hash, ...(given && { member_signature: given }) }
    await postInTransaction(tx, {
      roomId: charter.room_id,
      given: input.envelope,
      records: { data: { kind: 'charter', charter, charter_hash: hash } },
      say: { act: 'propose', state: 'task_assignment', parts: [{ data: data as never }] },
    })
    await claimIdempotencyKey(tx, hash, input)
    const proposal = { charter, hash, team, isAgreed }
    await saveProposal(tx, proposal)
    if (given) await keepMemberSignature(tx, { charter, agentId, given })
    await invite(tx, proposal)
    await appendAudit(tx, {
      chain: input.goal_id,
      action: 'team.propose',
      before: team && { version: team.version },
      after: { version: charter.version, charter_hash: hash },
    })
    await enqueue(tx, { type: 'team.proposed', goal_id: charter.goal_id, version: charter.version })
    return { version: charter.version, charter_hash: hash }
  })
}

/**
 * `team`: before the proposal. `isAgreed`: whether the charter in force has all signatures. Then all members sign the next one too.
 */
type Proposal = { readonly charter: Charter; readonly hash: string; readonly team: Team | null; readonly isAgreed: boolean }

async function saveProposal(tx: Context, { charter, hash, team, isAgreed }: Proposal): Promise<void> {
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
  const answers = membersOf(charter).map((member) => carryOverAnswer(member, charter, isAgreed ? null : team, steps))
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

async function invite(tx: Context, { charter, hash, team, isAgreed }: Proposal): Promise<void> {
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
    const roomId = findAnswerRoom(charter, member.agentId, charter.room_id)
    // An agent of a sub-team stays in its own room, and is invited only if it has to sign.
    if (roomId === charter.room_id) {
      const { owner_id: ownerId } = await getListing(tx, member.agentId)
      await joinRoom(tx, { roomId, memberId: member.did, agentId: member.agentId, ownerId, role: 'member' })
    } else if (answers.find((one) => one.agentId === member.agentId)?.answer === 'accepted') continue
    await postSystemMessage(tx, {
      roomId: await getInbox(tx, member.agentId),
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
