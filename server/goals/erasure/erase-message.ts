import { type DeliveredEnvelope, type EraseMessage, type ErasureRequester, readErased } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { findOwner, getConversation, postSystemMessage, requireReader } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey, eraseMessageBody, readMessagesForDelivery } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { findRetentionReason } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { eraseTaskText } from '../../tasks/index.ts'
import { messageIsRecord, messageNotFound } from '../errors.ts'
import { lockGoal, saveGoal } from '../goal-store.ts'
import { requesterOf, requireGoalOver } from './erasure-policy.ts'

/**
 * Erases a message's text everywhere. Its number, sender and place in the hash chain remain. Idempotent.
 * @throws message.not_entitled, message.erasure_blocked, message.not_erasable, room.not_member
 */
export async function eraseMessage(
  ctx: Context,
  input: EraseMessage,
): Promise<{ room_id: string; seq: number; requester: ErasureRequester }> {
  await permit(ctx, 'message.erase')
  const { room_id: roomId, seq, order } = input
  await requireReader(ctx, roomId)
  return inTransaction(ctx, async (tx) => {
    const { goalId } = await getConversation(tx, roomId)
    const goal = await lockGoal(tx, goalId)
    const [message] = await readMessagesForDelivery(tx, { roomId, after: seq - 1, limit: 1 })
    if (message?.seq !== seq) throw messageNotFound(roomId, seq)
    const envelope = JSON.parse(message.body) as DeliveredEnvelope
    const { serverDid } = tx.market
    const erased = readErased(envelope, serverDid)
    await claimIdempotencyKey(tx, `${roomId}:${seq}`, input)
    if (erased) return { room_id: roomId, seq, requester: erased.requester }
    const isConclusion = goal.roomId === roomId && goal.conclusionSeq === seq
    const requester = requesterOf({
      actor: tx.actor,
      order,
      authorId: envelope.sender_id,
      ownerId: await findOwner(tx, { goalId, memberId: envelope.sender_id }),
      clientId: goal.clientId,
      isPaidWork: goal.state === 'paid' && (isConclusion || envelope.type === 'task_result'),
    })
    if (envelope.sender_id === serverDid || isCharter(envelope)) throw messageIsRecord(roomId, seq)
    requireGoalOver(goal, await findRetentionReason(tx, goalId))
    await eraseMessageBody(tx, { roomId, message: { ...message, envelope }, requester })
    if (isConclusion) await saveGoal(tx, { ...goal, answer: [] } as typeof goal)
    if (envelope.task_id !== undefined) await eraseTaskText(tx, { taskId: envelope.task_id, act: envelope.type })
    await postSystemMessage(tx, { roomId, kind: 'message.erased', data: { seq }, text: `Message ${seq} of this room was erased.` })
    await appendAudit(tx, {
      stream: goalId,
      action: 'message.erase',
      after: { room_id: roomId, seq, requester, order: order ?? null, hash: message.hash },
    })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { room_id: roomId, seq, requester }
  })
}

/** A charter or an answer to it. */
function isCharter({ parts }: DeliveredEnvelope): boolean {
  return parts.some(({ data }) => typeof data?.kind === 'string' && /^charter(\.|$)/.test(data.kind))
}
