import { type DeliveredEnvelope, type EraseMessage, type ErasureGround, readErased } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { findOwner, getConversation, postSystemMessage, requireReader } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey, eraseBody, readForDelivery } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { findRetentionReason } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { redactTaskText } from '../../tasks/index.ts'
import { messageIsRecord, messageNotFound } from '../errors.ts'
import { lockGoal, saveGoal } from '../store.ts'
import { legalBasisOf, requireGoalOver } from './erasure-policy.ts'

/**
 * Erases a message's text everywhere. Its number, sender and place in the hash chain remain. Idempotent.
 * @throws message.not_yours, message.held_back, message.is_record, group.not_member
 */
export async function eraseMessage(ctx: Context, input: EraseMessage): Promise<{ group_id: string; seq: number; ground: ErasureGround }> {
  await permit(ctx, 'message.erase')
  const { group_id: groupId, seq, order } = input
  await requireReader(ctx, groupId)
  return inTransaction(ctx, async (tx) => {
    const { goalId } = await getConversation(tx, groupId)
    const goal = await lockGoal(tx, goalId)
    const [message] = await readForDelivery(tx, { groupId, after: seq - 1, limit: 1 })
    if (message?.seq !== seq) throw messageNotFound(groupId, seq)
    const envelope = JSON.parse(message.body) as DeliveredEnvelope
    const { serverDid } = tx.market
    const erased = readErased(envelope, serverDid)
    await claimIdempotencyKey(tx, `${groupId}:${seq}`, input)
    if (erased) return { group_id: groupId, seq, ground: erased.ground }
    const isConclusion = goal.groupId === groupId && goal.conclusionSeq === seq
    const ground = legalBasisOf({
      actor: tx.actor,
      order,
      authorId: envelope.sender_id,
      ownerId: await findOwner(tx, { goalId, memberId: envelope.sender_id }),
      clientId: goal.clientId,
      isPaidWork: goal.state === 'paid' && (isConclusion || envelope.type === 'task_result'),
    })
    if (envelope.sender_id === serverDid || isCharter(envelope)) throw messageIsRecord(groupId, seq)
    requireGoalOver(goal, await findRetentionReason(tx, goalId))
    await eraseBody(tx, { groupId, message: { ...message, envelope }, ground })
    if (isConclusion) await saveGoal(tx, { ...goal, answer: [] } as typeof goal)
    if (envelope.task_id !== undefined) await redactTaskText(tx, { taskId: envelope.task_id, act: envelope.type })
    await postSystemMessage(tx, { groupId, kind: 'message.erasure', data: { seq }, text: `Message ${seq} of this room was erased.` })
    await appendAudit(tx, {
      chain: goalId,
      action: 'message.erase',
      after: { group_id: groupId, seq, ground, order: order ?? null, hash: message.hash },
    })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { group_id: groupId, seq, ground }
  })
}

/** A charter or an answer to it. */
function isCharter({ parts }: DeliveredEnvelope): boolean {
  return parts.some(({ data }) => typeof data?.kind === 'string' && /^charter(\.|$)/.test(data.kind))
}
