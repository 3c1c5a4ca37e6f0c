import type { EraseArtifact, ErasureRequester } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { isCallFile } from '../../calls/index.ts'
import type { Context } from '../../context.ts'
import { findOwner, getConversation, postSystemMessage, requireReader } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { findRetentionReason } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { eraseFile, listArtifactsUnchecked } from '../../tasks/index.ts'
import { isEntryFile } from '../contest/entry-store.ts'
import { fileNotFound } from '../errors.ts'
import { lockGoal } from '../goal-store.ts'
import { requesterOf, requireGoalOver } from './erasure-policy.ts'

/**
 * Erases a file's bytes from a goal. Its name and hash remain in messages. The bytes remain if another goal, a call or an entry has the same file.
 * Idempotent.
 * @throws message.not_entitled, message.erasure_blocked, artifact.not_found, room.not_member
 */
export async function eraseArtifact(
  ctx: Context,
  input: EraseArtifact,
): Promise<{ room_id: string; sha256: string; requester: ErasureRequester }> {
  await permit(ctx, 'artifact.erase')
  const { room_id: roomId, sha256, order } = input
  await requireReader(ctx, roomId)
  return inTransaction(ctx, async (tx) => {
    const { goalId } = await getConversation(tx, roomId)
    const goal = await lockGoal(tx, goalId)
    const files = (await listArtifactsUnchecked(tx, goalId)).filter((file) => file.sha256 === sha256)
    const [file] = files
    if (!file) throw fileNotFound(sha256)
    const requester = requesterOf({
      actor: tx.actor,
      order,
      authorId: file.by,
      ownerId: await findOwner(tx, { goalId, memberId: file.by }),
      clientId: goal.clientId,
      isPaidWork: goal.state === 'paid' && files.some((one) => one.task_id !== null),
    })
    requireGoalOver(goal, await findRetentionReason(tx, goalId))
    await claimIdempotencyKey(tx, `${roomId}:${sha256}`, input)
    if (files.every((one) => one.erased_at !== undefined)) return { room_id: roomId, sha256, requester }
    await eraseFile(tx, { goalId, sha256, isNeeded: async () => (await isCallFile(tx, sha256)) || (await isEntryFile(tx, sha256)) })
    await postSystemMessage(tx, {
      roomId,
      kind: 'artifact.erased',
      data: { sha256 },
      text: `The file ${sha256.slice(0, 12)}… was erased.`,
    })
    await appendAudit(tx, { chain: goalId, action: 'artifact.erase', after: { sha256, requester, order: order ?? null } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { room_id: roomId, sha256, requester }
  })
}
