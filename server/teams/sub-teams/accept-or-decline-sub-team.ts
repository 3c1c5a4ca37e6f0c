import { type AcceptTeam, type DeclineTeam, type MemberSignature, scalarText } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postInTransaction } from '../../conversations/index.ts'
import { claimIdempotencyKey, enqueue } from '../../delivery/index.ts'
import { findAcceptanceRoom } from '../charters/find-acceptance-room.ts'
import { teamCharterChanged } from '../errors.ts'
import { advanceSubTeam } from './sub-team.ts'
import { lockSubTeam, saveSubTeam } from './sub-team-store.ts'

type Answered = { readonly goal_id: string }
const unposted = { reason: null, envelopeId: null, signer: null, signature: null }

/** A payee of a sub-team's charter accepts it: a hired agent in the sub-team's room, any other in its own room. */
export async function acceptSubTeam(
  tx: Context,
  input: { roomId: string; agentId: string; command: AcceptTeam; given: MemberSignature | null },
): Promise<Answered> {
  const { agentId, command, given } = input
  const team = await lockSubTeam(tx, input.roomId)
  const { goalId } = team
  const known = team.members.find((one) => one.agentId === agentId)
  if (known) await claimIdempotencyKey(tx, command.charter_hash, command)
  if (known?.answer === 'accepted' && team.proposal?.charterHash === command.charter_hash) return { goal_id: goalId }
  const signed = { signer: given?.signer ?? null, signature: given?.signature ?? null }
  const event = { type: 'answer' as const, agentId, charterHash: command.charter_hash }
  const checked = advanceSubTeam(team, { ...event, answer: { ...unposted, ...signed, answer: 'accepted' } })
  const charter = checked.proposal?.charter
  const posted = await postInTransaction(tx, {
    roomId: charter ? findAcceptanceRoom(charter, agentId, team.roomId) : team.roomId,
    given: command.envelope,
    message: {
      act: 'accept',
      parts: [{ data: { kind: 'charter.accept', charter_hash: command.charter_hash, ...(given && { member_signature: given as never }) } }],
    },
  })
  const signedHash = posted.envelope.parts.find((part) => part.data?.kind === 'charter.accept')?.data?.charter_hash
  if (signedHash !== command.charter_hash) throw teamCharterChanged(command.charter_hash, scalarText(signedHash))
  await saveSubTeam(tx, advanceSubTeam(team, { ...event, answer: { ...unposted, ...signed, answer: 'accepted', envelopeId: posted.id } }))
  await appendAudit(tx, {
    stream: goalId,
    action: 'team.accept',
    after: { agent_id: agentId, charter_hash: command.charter_hash, seq: posted.seq, signer: signed.signer, room_id: team.roomId },
  })
  await enqueue(tx, { type: 'team.accepted', goal_id: command.goal_id, agent_id: agentId as never })
  return { goal_id: goalId }
}

/** A hired agent declines. The lead proposes without it, or does the work itself. */
export async function declineSubTeam(tx: Context, input: { roomId: string; agentId: string; command: DeclineTeam }): Promise<Answered> {
  const { roomId, agentId, command } = input
  const team = await lockSubTeam(tx, roomId)
  const known = team.members.find((one) => one.agentId === agentId)
  if (known) await claimIdempotencyKey(tx, `${roomId}:${team.proposal?.charterHash}`, command)
  if (known?.answer === 'declined') return { goal_id: team.goalId }
  const event = { type: 'answer' as const, agentId, charterHash: null }
  const answer = { ...unposted, answer: 'declined' as const, reason: command.reason }
  advanceSubTeam(team, { ...event, answer })
  const posted = await postInTransaction(tx, {
    roomId,
    given: command.envelope,
    records: { text: command.reason },
    message: { act: 'decline', parts: [{ text: command.reason }] },
  })
  await saveSubTeam(tx, advanceSubTeam(team, { ...event, answer: { ...answer, envelopeId: posted.id } }))
  await appendAudit(tx, {
    stream: team.goalId,
    action: 'team.decline',
    after: { agent_id: agentId, reason: command.reason, room_id: roomId },
  })
  await enqueue(tx, { type: 'team.declined', goal_id: command.goal_id, agent_id: agentId as never })
  return { goal_id: team.goalId }
}
