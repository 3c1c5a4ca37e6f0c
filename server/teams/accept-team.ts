import { type AcceptTeam, type MemberSignature, scalarText } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postInTransaction } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { findAcceptanceRoom } from './charters/find-acceptance-room.ts'
import { teamCharterChanged, teamNotMember } from './errors.ts'
import { checkMemberSignature, saveMemberSignature, signatureIn } from './member-signature.ts'
import { acceptSubTeam } from './sub-teams/accept-or-decline-sub-team.ts'
import { findHiring } from './sub-teams/sub-team-store.ts'
import { advanceTeam, type Team } from './team.ts'
import { findTeam, lockTeam, saveTeam } from './team-store.ts'

/** A member accepts the charter: the signed envelope with its hash is the signature. */
export async function acceptTeam(ctx: Context, input: AcceptTeam): Promise<{ goal_id: string }> {
  await permit(ctx, 'team.accept')
  if (ctx.actor.kind !== 'agent') throw teamNotMember('a person')
  const { agentId } = ctx.actor
  const given = await signedFor(ctx, input, agentId)
  return inTransaction(ctx, async (tx) => {
    const hiring = await findHiring(tx, input.goal_id, input.charter_hash)
    if (hiring) return acceptSubTeam(tx, { roomId: hiring.roomId, agentId, command: input, given })
    const team = await lockTeam(tx, input.goal_id)
    const member = team.members.find((one) => one.agentId === agentId)
    if (member) await claimIdempotencyKey(tx, input.charter_hash, input)
    if (member?.answer === 'accepted' && input.charter_hash === team.charterHash) return { goal_id: team.goalId }
    const checked = advanceTeam(team, { type: 'team.accept', agentId, charterHash: input.charter_hash, envelopeId: '' })
    const posted = await postInTransaction(tx, {
      roomId: findAcceptanceRoom(team.charter, agentId, team.roomId),
      given: input.envelope,
      message: {
        act: 'accept',
        parts: [{ data: { kind: 'charter.accept', charter_hash: input.charter_hash, ...(given && { member_signature: given as never }) } }],
      },
    })
    const signed = posted.envelope.parts.find((part) => part.data?.kind === 'charter.accept')?.data?.charter_hash
    if (signed !== team.charterHash) throw teamCharterChanged(team.charterHash, scalarText(signed))
    await saveTeam(tx, {
      ...checked,
      members: checked.members.map((one) => (one.agentId === agentId ? { ...one, envelopeId: posted.id } : one)),
    })
    if (given) await saveMemberSignature(tx, { charter: team.charter, agentId, given })
    await appendAudit(tx, {
      stream: team.goalId,
      action: 'team.accept',
      after: { agent_id: agentId, charter_hash: team.charterHash, seq: posted.seq, signer: given?.signer ?? null },
    })
    await enqueue(tx, { type: 'team.accepted', goal_id: team.charter.goal_id, agent_id: agentId })
    return { goal_id: team.goalId }
  })
}

/** The signature for the escrow, verified if it is for the newest charter; null if none was given. */
async function signedFor(ctx: Context, input: AcceptTeam, agentId: string): Promise<MemberSignature | null> {
  const given = signatureIn(input, 'charter.accept')
  if (!given) return given
  const hiring = await findHiring(ctx, input.goal_id, input.charter_hash)
  const team = hiring ?? (await findTeam(ctx, input.goal_id))
  const put = hiring ? hiring.proposal : (team as Team | null)
  if (!team || !put || put.charterHash !== input.charter_hash) return given
  if (!team.members.some((one) => one.agentId === agentId)) throw teamNotMember(agentId)
  await checkMemberSignature(ctx, { charter: put.charter, charterHash: put.charterHash, agentId, given })
  return given
}
