import type { Context } from '../../context.ts'
import { requireMember } from '../../conversations/index.ts'
import { charterNotClient, charterNotFound, charterWrongState } from '../errors.ts'
import { type CharterDraft, findCharterDraft } from './charter-draft.ts'

/**
 * The newest draft of the client's own goal, locked until the transaction ends.
 * @throws charter.not_found, goal.not_client, charter.wrong_state if a newer one was submitted
 */
export async function lockCharterDraft(
  tx: Context,
  asked: { goalId: string; charterHash: string; verb: string },
): Promise<{ draft: CharterDraft; roomId: string }> {
  const { goalId, charterHash, verb } = asked
  await tx.db.$queryRaw`select 1 from "charter_draft" where "goalId" = ${goalId} and "charterHash" = ${charterHash} for update`
  const draft = await findCharterDraft(tx, goalId, charterHash)
  if (!draft) throw charterNotFound(goalId)
  const roomId = draft.charter.room_id
  const member = await requireMember(tx, roomId)
  if (member.role !== 'client') throw charterNotClient(member.memberId)
  const newest = await findCharterDraft(tx, goalId)
  if (newest && newest.number !== draft.number) throw charterWrongState(`number ${draft.number} of ${newest.number}`, verb)
  return { draft, roomId }
}
