import type { EraseArtifact, ErasureRequester } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { isCallFile } from '../../calls/index.ts'
import type { Context } from '../../context.ts'
import { findOwner, getConversation, requireReader } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { findRetentionReason } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { listArtifactsUnchecked } from '../../tasks/index.ts'
import { isEntryFile } from '../contest/entry-store.ts'
import { fileNotFound } from '../errors.ts'
import { lockGoal } from '../goal-store.ts'
import { eraseGoalFile } from './erase-goal-file.ts'
import { requesterOf, requireGoalOver } from './erasure-policy.ts'

/**
 * Erases a file's bytes from a goal. Its name and hash remain in messages. The bytes remain if another goal, a call or an entry has the same file.
 * An author or its owner erases the author's copies only.
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
    // Several parties can have delivered or attached the same bytes.
    const file = files.find((one) => one.by === authorOf(tx)) ?? files[0]
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
    const isOwnCopy = requester === 'author' || requester === 'owner'
    const copies = isOwnCopy ? files.filter((one) => one.by === file.by) : files
    if (copies.every((one) => one.erased_at !== undefined)) return { room_id: roomId, sha256, requester }
    const isNeeded = async () => (await isCallFile(tx, sha256)) || (await isEntryFile(tx, sha256))
    await eraseGoalFile(tx, goal, { sha256, isNeeded, ...(isOwnCopy && { by: file.by }) })
    await appendAudit(tx, { stream: goalId, action: 'artifact.erase', after: { sha256, requester, order: order ?? null } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    return { room_id: roomId, sha256, requester }
  })
}

const authorOf = ({ actor }: Context) => (actor.kind === 'agent' || actor.kind === 'person' ? actor.did : null)
