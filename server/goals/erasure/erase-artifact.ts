import type { EraseArtifact, ErasureGround } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { isCallFile } from '../../calls/index.ts'
import type { Context } from '../../context.ts'
import { findOwner, getConversation, postSystemMessage, requireReader } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { findRetentionReason } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { eraseFile, listArtifacts } from '../../tasks/index.ts'
import { fileNotFound } from '../errors.ts'
import { lockGoal } from '../store.ts'
import { legalBasisOf, requireGoalOver } from './erasure-policy.ts'

/**
 * Erases a file's bytes from a goal. Its name and hash remain in messages. The bytes remain if another goal or a call has the same file.
 * Idempotent.
 * @throws message.not_yours, message.held_back, artifact.not_found, group.not_member
 */
export async function eraseArtifact(
  ctx: Context,
  input: EraseArtifact,
): Promise<{ group_id: string; sha256: string; ground: ErasureGround }> {
  await permit(ctx, 'artifact.erase')
  const { group_id: groupId, sha256, order } = input
  await requireReader(ctx, groupId)
  return inTransaction(ctx, async (tx) => {
    const { goalId } = await getConversation(tx, groupId)
    const goal = await lockGoal(tx, goalId)
    const files = (await listArtifacts(tx, goalId)).filter((file) => file.sha256 === sha256)
    const [file] = files
    if (!file) throw fileNotFound(sha256)
    const ground = legalBasisOf({
      actor: tx.actor,
      order,
      authorId: file.by,
      ownerId: await findOwner(tx, { goalId, memberId: file.by }),
      clientId: goal.clientId,
      isPaidWork: goal.state === 'paid' && files.some((one) => one.task_id !== null),
    })
    requireGoalOver(goal, await findRetentionReason(tx, goalId))
    await claimIdempotencyKey(tx, `${groupId}:${sha256}`, input)
    if (files.every((one) => one.erased_at !== undefined)) return { group_id: groupId, sha256, ground }
    await eraseFile(tx, { goalId, sha256, isNeeded: () => isCallFile(tx, sha256) })
    await postSystemMessage(tx, {
      groupId,
      kind: 'artifact.erasure',
      data: { sha256 },
      text: `The file ${sha256.slice(0, 12)}… was erased.`,
    })
    await appendAudit(tx, { chain: goalId, action: 'artifact.erase', after: { sha256, ground, order: order ?? null } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { group_id: groupId, sha256, ground }
  })
}
