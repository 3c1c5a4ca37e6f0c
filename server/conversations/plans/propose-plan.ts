import { type Envelope, type ProposePlan, scalarText } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { planNotLead, planOutdated, senderMismatch } from '../errors.ts'
import { postInTransaction } from '../messaging/post-in-transaction.ts'
import { getConversation, requireMember } from '../rooms/room-members.ts'
import { findNewestPlan, type PlanVersion } from './plan-versions.ts'

/**
 * The lead of a room writes its plan, or changes the newest version. A repetition changes nothing.
 * @throws plan.not_lead, plan.outdated, room.not_member
 */
export async function proposePlan(ctx: Context, input: ProposePlan): Promise<{ version: number; seq: number }> {
  await permit(ctx, 'plan.propose')
  const { room_id: roomId, based_on: basedOn, text } = input
  const version = basedOn + 1
  return inTransaction(ctx, async (tx) => {
    const member = await requireMember(tx, roomId)
    if (member.role !== 'principal') throw planNotLead(roomId, member.memberId)
    const newest = await findNewestPlan(tx, roomId)
    if (newest?.version === version && newest.text === text && newest.authorId === member.memberId) return { version, seq: newest.seq }
    requireNewest(roomId, newest, basedOn)
    const said = await postInTransaction(tx, {
      roomId,
      given: input.envelope,
      say: { act: 'propose', parts: [{ text }, { data: { kind: 'plan.version', version, based_on: basedOn } }] },
    })
    requireSaid(said.envelope, text, version)
    // The append waited for the room's lock, so another version may have been committed in between.
    requireNewest(roomId, await findNewestPlan(tx, roomId), basedOn)
    const authorId = member.memberId
    await tx.db.planVersion.create({ data: { roomId, version, authorId, seq: said.seq, text, at: tx.clock.now() } })
    const { goalId } = await getConversation(tx, roomId)
    await appendAudit(tx, { chain: goalId, action: 'plan.propose', after: { room_id: roomId, version, seq: said.seq } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { version, seq: said.seq }
  })
}

function requireNewest(roomId: string, newest: PlanVersion | null, basedOn: number): void {
  const last = newest?.version ?? 0
  if (last !== basedOn) throw planOutdated(roomId, basedOn, last)
}

/** The signed text and version must equal those that are stored. */
function requireSaid({ parts }: Envelope, text: string, version: number): void {
  const said = parts.flatMap((part) => part.text ?? []).join('\n')
  if (said !== text) throw senderMismatch('text', 'that of the command', 'another')
  const told = parts.find((part) => part.data?.kind === 'plan.version')?.data?.version
  if (told !== version) throw senderMismatch('version', String(version), scalarText(told) || 'missing')
}
