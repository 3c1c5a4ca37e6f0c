import { type Charter, payeesOf, type SealTeam } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postInTransaction, postSystemMessage, requireMember } from '../../conversations/index.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import type { EscrowMemberSignature } from '../../ports.ts'
import { readNextCharterVersion } from '../charters/next-charter-version.ts'
import { saveAndSubmitSealedCharter } from '../charters/save-and-submit-sealed-charter.ts'
import { teamBusy, teamCharterChanged, teamIncomplete, teamNotPrincipal } from '../errors.ts'
import { inForceOf, type Team } from '../team.ts'
import { lockTeam, storedInForce } from '../team-store.ts'
import { advanceSubTeam, type HireProposal, type SubTeam } from './sub-team.ts'
import { lockSubTeam, saveSubTeam } from './sub-team-store.ts'

type Hex = `0x${string}`

/**
 * The agreed proposal of a sub-team becomes the goal's charter and goes to the rail. Its steps may be assigned once it is recorded. If
 * the charter has changed in the meantime, the lead has to propose again.
 */
export async function sealSubTeam(
  tx: Context,
  input: { roomId: string; command: SealTeam },
): Promise<{ goal_id: string; version: number }> {
  const { roomId, command } = input
  await tx.db.$queryRaw`select 1 from "hold" where "goalId" = ${command.goal_id} for update`
  const member = await requireMember(tx, roomId)
  if (member.role !== 'principal') throw teamNotPrincipal(member.memberId)
  const root = await lockTeam(tx, command.goal_id)
  const team = await lockSubTeam(tx, roomId)
  const { proposal } = team
  if (team.state === 'sealed' && proposal) {
    await claimIdempotencyKey(tx, proposal.charterHash, command)
    return { goal_id: team.goalId, version: proposal.version }
  }
  const at = tx.clock.now()
  const sealed = advanceSubTeam(team, { type: 'seal', at })
  if (!proposal) throw teamIncomplete(0)
  if (proposal.version !== (await readNextCharterVersion(tx, root))) throw teamCharterChanged(root.charterHash, proposal.charterHash)
  if (root.state !== 'sealed' || root.recordedAt === null) throw teamBusy(root.version)
  await postInTransaction(tx, {
    roomId,
    given: command.envelope,
    message: {
      act: 'discussion',
      state: 'task_assignment',
      parts: [{ text: 'All payees have signed the charter; it is recorded now.' }],
    },
  })
  await claimIdempotencyKey(tx, proposal.charterHash, command)
  await saveSubTeam(tx, sealed)
  await replaceCharter(tx, root, proposal, team)
  await saveAndSubmitSealedCharter(tx, { ...proposal, memberSignatures: signaturesOf(team, proposal.charter) })
  await announceToRootTeam(tx, root, proposal, team)
  await appendAudit(tx, {
    stream: team.goalId,
    action: 'team.seal',
    before: { version: root.version },
    after: { version: proposal.version, charter_hash: proposal.charterHash, room_id: roomId, step: team.step },
  })
  await enqueue(tx, { type: 'team.sealed', goal_id: command.goal_id, version: proposal.version })
  return { goal_id: team.goalId, version: proposal.version }
}

/** Replaces the charter of the goal's team; all its members stay. */
async function replaceCharter(tx: Context, root: Team, { version, charter, charterHash }: HireProposal, team: SubTeam): Promise<void> {
  await tx.db.team.update({
    where: { goalId: root.goalId },
    data: {
      version,
      charter: charter as object,
      charterHash,
      sealedAt: tx.clock.now(),
      recordedAt: null,
      agreed: false,
      inForce: storedInForce(inForceOf(root)),
      rowVersion: { increment: 1 },
    },
  })
  await tx.db.teamMember.createMany({
    data: team.members
      .filter((one) => one.did !== root.principalId)
      .map(({ agentId, did, envelopeId }) => ({ goalId: root.goalId, version, agentId, did, answer: 'accepted' as const, envelopeId })),
  })
}

/** The signature of each payee, in the escrow's order; null if missing. */
function signaturesOf(team: SubTeam, charter: Charter): (EscrowMemberSignature | null)[] {
  const agentOf = (payee: string) => new Set<string>(charter.steps.filter((step) => step.payee === payee).map((step) => step.agent_id))
  return payeesOf(charter).map((payee) => {
    const member = team.members.find((one) => agentOf(payee).has(one.agentId) && one.signature !== null)
    return member ? { signer: member.signer as Hex, signature: member.signature as Hex } : null
  })
}

/** Announces the new version in the goal's room. Other sub-teams receive it when it is recorded. */
async function announceToRootTeam(tx: Context, root: Team, { version, charter, charterHash }: HireProposal, team: SubTeam): Promise<void> {
  const hired = charter.steps.filter((step) => step.room_id === team.roomId && !step.canceled).length
  await postSystemMessage(tx, {
    roomId: root.roomId,
    kind: 'charter.amended',
    text: `The agent of step ${team.step} pays ${hired} ${hired === 1 ? 'step' : 'steps'} of a team of its own out of it. Nothing else in the charter changes.`,
    data: { version, charter: charter as never, charter_hash: charterHash, step: team.step, room_id: team.roomId },
  })
}
