import type { ProposePlan } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { planNotLead, planOutdated } from '../errors.ts'
import { requireCommandContentInEnvelope } from '../messaging/envelope/require-command-content-in-envelope.ts'
import { postInTransaction } from '../messaging/post-in-transaction.ts'
import { getConversation, requireMember } from '../rooms/room-member-store.ts'
import { findNewestPlan, type PlanVersion } from './plan-version-store.ts'

/**
 * The lead of a room writes its plan, or changes the newest version. A repetition changes nothing.
 * @throws plan.not_lead, plan.outdated, request.id_reused, room.not_member
 */
export async function proposePlan(ctx: Context, input: ProposePlan): Promise<{ version: number; seq: number }> {
  await permit(ctx, 'plan.propose')
  const { room_id: roomId, based_on: basedOn, text } = input
  const version = basedOn + 1
  return inTransaction(ctx, async (tx) => {
    const member = await requireMember(tx, roomId)
    if (member.role !== 'principal') throw planNotLead(roomId, member.memberId)
    const newest = await findNewestPlan(tx, roomId)
    const isRepeat = newest?.version === version && newest.text === text && newest.authorId === member.memberId
    if (isRepeat) {
      await claimIdempotencyKey(tx, `${roomId}:${version}`, input)
      return { version, seq: newest.seq }
    }
    requireNewest(roomId, newest, basedOn)
    const posted = await postInTransaction(tx, {
      roomId,
      given: input.envelope,
      records: { data: { kind: 'plan.version', version, based_on: basedOn } },
      message: { act: 'propose', parts: [{ text }, { data: { kind: 'plan.version', version, based_on: basedOn } }] },
    })
    requireCommandContentInEnvelope(posted.envelope, { text })
    // The append waited for the room's lock, so another version may have been committed in between.
    requireNewest(roomId, await findNewestPlan(tx, roomId), basedOn)
    await claimIdempotencyKey(tx, `${roomId}:${version}`, input)
    const authorId = member.memberId
    await tx.db.planVersion.create({ data: { roomId, version, authorId, seq: posted.seq, text, at: tx.clock.now() } })
    const { goalId } = await getConversation(tx, roomId)
    await appendAudit(tx, { stream: goalId, action: 'plan.propose', after: { room_id: roomId, version, seq: posted.seq } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { version, seq: posted.seq }
  })
}

function requireNewest(roomId: string, newest: PlanVersion | null, basedOn: number): void {
  const last = newest?.version ?? 0
  if (last !== basedOn) throw planOutdated(roomId, basedOn, last)
}
