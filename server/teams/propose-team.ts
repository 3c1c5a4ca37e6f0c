import { charterFaults, charterHash, type ProposeTeam } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postInTransaction, requireMember } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { needsMemberSignatures } from '../settlement/index.ts'
import { requireConfirmed } from './charters/charter-draft.ts'
import { findCharterFaults } from './charters/find-charter-faults.ts'
import { findSubTeamStepFaults } from './charters/find-sub-team-step-faults.ts'
import { listSteps, unchangedStepFaults } from './charters/step-store.ts'
import { teamCharterInvalid, teamNotPrincipal, teamWrongState } from './errors.ts'
import { checkMemberSignature, saveMemberSignature, signatureIn } from './member-signature.ts'
import { inviteMembers, saveTeamProposal } from './save-team-proposal.ts'
import { proposeSubTeam } from './sub-teams/propose-sub-team.ts'
import { listSubTeams, subTeamIn } from './sub-teams/sub-team-store.ts'
import { findTeam } from './team-store.ts'
import { requireNotPaused } from './team-terms-store.ts'

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
      ...findSubTeamStepFaults(team?.charter ?? null, charter, await listSubTeams(tx, input.goal_id)),
    ]
    if (faults.length > 0) throw teamCharterInvalid(faults)
    const isAgreed = await needsMemberSignatures(tx, input.goal_id)
    const data = { kind: 'charter', charter, charter_hash: hash, ...(given && { member_signature: given }) }
    await postInTransaction(tx, {
      roomId: charter.room_id,
      given: input.envelope,
      records: { data: { kind: 'charter', charter, charter_hash: hash } },
      message: { act: 'propose', state: 'task_assignment', parts: [{ data: data as never }] },
    })
    await claimIdempotencyKey(tx, hash, input)
    const proposal = { charter, hash, team, isAgreed }
    await saveTeamProposal(tx, proposal)
    if (given) await saveMemberSignature(tx, { charter, agentId, given })
    await inviteMembers(tx, proposal)
    await appendAudit(tx, {
      stream: input.goal_id,
      action: 'team.propose',
      before: team && { version: team.version },
      after: { version: charter.version, charter_hash: hash },
    })
    await enqueue(tx, { type: 'team.proposed', goal_id: charter.goal_id, version: charter.version })
    return { version: charter.version, charter_hash: hash }
  })
}
