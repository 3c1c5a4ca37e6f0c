import {
  type Charter,
  type CharterStep,
  charterFaults,
  circleFault,
  hiringFaults,
  type MemberSignature,
  type ProposeTeam,
} from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { joinRoom, postInTransaction, postSystemMessage, requireMember } from '../../conversations/index.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import { getAgentInboxId, getListing } from '../../registry/index.ts'
import { needsMemberSignatures } from '../../settlement/index.ts'
import { findAcceptanceRoom, hasSameSteps } from '../charters/find-acceptance-room.ts'
import { findCharterFaults } from '../charters/find-charter-faults.ts'
import { readNextCharterVersion } from '../charters/next-charter-version.ts'
import { listSteps, unchangedStepFaults } from '../charters/step-store.ts'
import { nestingRefused, teamBusy, teamCharterInvalid, teamNotPrincipal } from '../errors.ts'
import type { Team } from '../team.ts'
import { getTeam } from '../team-store.ts'
import { removeUnhiredMembers } from './remove-unhired-members.ts'
import { advanceSubTeam, type SubTeam, type SubTeamMember } from './sub-team.ts'
import { lockSubTeam, saveSubTeam } from './sub-team-store.ts'

type Proposed = { readonly version: number; readonly charter_hash: string }

/**
 * The lead of a sub-team hires: it proposes the goal's charter in its next version, in which its own step pays others. The proposal has
 * no effect until it is sealed. Members whose steps stay the same need not answer, except on chain. Part of the transaction of
 * `proposeTeam`, which has locked the hold.
 */
export async function proposeSubTeam(
  tx: Context,
  input: { roomId: string; command: ProposeTeam; hash: string; given: MemberSignature | null },
): Promise<Proposed> {
  const { roomId, command, hash, given } = input
  const { charter } = command
  const member = await requireMember(tx, roomId)
  if (member.role !== 'principal') throw teamNotPrincipal(member.memberId)
  const team = await lockSubTeam(tx, roomId)
  if (team.proposal?.charterHash === hash) {
    await claimIdempotencyKey(tx, hash, command)
    return { version: team.proposal.version, charter_hash: hash }
  }
  const root = await getTeam(tx, team.goalId)
  if (root.state !== 'sealed' || root.recordedAt === null) throw teamBusy(root.version)
  await validateProposal(tx, { team, root, charter })
  const isAgreed = await needsMemberSignatures(tx, team.goalId)
  const members = membersToAsk(team, root.charter, charter, { isAgreed, given })
  const proposed = advanceSubTeam(team, { type: 'propose', proposal: { version: charter.version, charter, charterHash: hash }, members })
  const data = { kind: 'charter', charter, charter_hash: hash, ...(given && { member_signature: given }) }
  await postInTransaction(tx, {
    roomId,
    given: command.envelope,
    records: { data: { kind: 'charter', charter, charter_hash: hash } },
    message: { act: 'propose', state: 'task_assignment', parts: [{ data: data as never }] },
  })
  await claimIdempotencyKey(tx, hash, command)
  await saveSubTeam(tx, proposed)
  await invite(tx, proposed, { charter, hash, isAgreed })
  await removeUnhiredMembers(tx, team, proposed)
  await appendAudit(tx, {
    stream: team.goalId,
    action: 'team.propose',
    after: { version: charter.version, charter_hash: hash, room_id: roomId, step: team.step },
  })
  await enqueue(tx, { type: 'team.proposed', goal_id: charter.goal_id, version: charter.version })
  return { version: charter.version, charter_hash: hash }
}

async function validateProposal(tx: Context, given: { team: SubTeam; root: Team; charter: Charter }): Promise<void> {
  const { team, root, charter } = given
  const isHired = (step: CharterStep) => step.room_id === team.roomId && !step.canceled
  const own = root.charter.steps.find((step) => step.step === team.step)
  for (const step of charter.steps.filter(isHired)) {
    const circle = own && circleFault(root.charter, own, step.sender_id)
    if (circle) throw nestingRefused(circle, { step: step.step, who: step.sender_id })
  }
  const steps = await listSteps(tx, team.goalId)
  const faults = [
    ...hiringFaults(root.charter, charter, { step: team.step, room_id: team.roomId, version: await readNextCharterVersion(tx, root) }),
    ...charterFaults(charter),
    ...(await findCharterFaults(tx, { goalId: team.goalId, charter, principal: root.principalId, team: root, steps, mayChange: isHired })),
    ...unchangedStepFaults(steps, charter),
  ]
  if (faults.length > 0) throw teamCharterInvalid(faults)
}

/** Every payee of the charter once, with its known answer. */
function membersToAsk(
  team: SubTeam,
  before: Charter,
  after: Charter,
  { isAgreed, given }: { isAgreed: boolean; given: MemberSignature | null },
): SubTeamMember[] {
  const unposted = { reason: null, envelopeId: null, signer: null, signature: null }
  const asked = new Map<string, SubTeamMember>()
  for (const { agent_id: agentId, sender_id: did } of after.steps) {
    const isLead = agentId === team.agentId
    const answer = isLead || (!isAgreed && hasSameSteps(before, after, agentId)) ? 'accepted' : 'invited'
    asked.set(agentId, { agentId, did, answer, ...unposted, ...(isLead && given && { signer: given.signer, signature: given.signature }) })
  }
  return [...asked.values()]
}

/** `isAgreed`: whether the charter in force has all signatures. */
type Invitation = { readonly charter: Charter; readonly hash: string; readonly isAgreed: boolean }

async function invite(tx: Context, team: SubTeam, { charter, hash, isAgreed }: Invitation): Promise<void> {
  const hired = new Set(charter.steps.filter((step) => step.room_id === team.roomId && !step.canceled).map((step) => step.agent_id))
  for (const { agentId, did, answer } of team.members) {
    if (hired.has(agentId as never) && agentId !== team.agentId) {
      const { owner_id: ownerId } = await getListing(tx, agentId)
      await joinRoom(tx, { roomId: team.roomId, memberId: did, agentId, ownerId, role: 'member' })
    }
    if (answer === 'accepted') continue
    await postSystemMessage(tx, {
      roomId: await getAgentInboxId(tx, agentId),
      act: 'invite',
      kind: 'team.invite',
      data: {
        goal_id: charter.goal_id,
        room_id: findAcceptanceRoom(charter, agentId, team.roomId),
        charter: charter as never,
        charter_hash: hash,
        member_signature: isAgreed ? 'requested' : 'none',
        hired_by: team.leadId,
      },
    })
  }
}
