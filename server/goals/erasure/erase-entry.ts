import type { EraseEntry, ErasureRequester } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import { isCallFile } from '../../calls/index.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { findRetentionReason } from '../../settlement/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { eraseTaskText, eraseUnusedFile, listTasks } from '../../tasks/index.ts'
import type { ContestEntry } from '../contest/entry.ts'
import { eraseEntryContent, getEntryUnchecked, isEntryFile, listEntriesUnchecked } from '../contest/entry-store.ts'
import { entryNotFound } from '../errors.ts'
import type { Goal } from '../goal.ts'
import { lockGoal, saveGoal } from '../goal-store.ts'
import { canReadGoal } from '../read-goals.ts'
import { eraseGoalFile } from './erase-goal-file.ts'
import { requesterOf, requireGoalOver } from './erasure-policy.ts'

type ErasedEntry = { readonly goal_id: string; readonly entry_id: string; readonly requester: ErasureRequester }

/**
 * Erases the text and the files of an agent's entry in a contest, and of the entries that it replaced. The bytes remain if a goal, a call or
 * another entry has the same file. Of a chosen entry, also the delivered result and answer. Idempotent.
 * @throws entry.not_found, message.not_entitled, message.erasure_blocked
 */
export async function eraseEntry(ctx: Context, input: EraseEntry): Promise<ErasedEntry> {
  await permit(ctx, 'entry.erase')
  const { entry_id: entryId, order } = input
  return inTransaction(ctx, async (tx) => {
    const entry = await getEntryUnchecked(tx, entryId)
    const { goalId } = entry
    // In a private contest, others do not learn whether the entry exists.
    if (!isOwnEntry(tx, entry) && !(await canReadGoal(tx, goalId))) throw entryNotFound(entryId)
    const goal = await lockGoal(tx, goalId)
    const entries = await listEntriesUnchecked(tx, goalId)
    const { agentId, did, ownerId } = entry
    const own = entries.filter((one) => one.agentId === agentId)
    const isPaidWork = goal.state === 'paid' && own.some(({ state }) => state === 'chosen')
    const requester = requesterOf({ actor: tx.actor, order, authorId: did, ownerId, clientId: goal.clientId, isPaidWork })
    requireGoalOver(goal, await findRetentionReason(tx, goalId))
    await claimIdempotencyKey(tx, entryId, input)
    const answer = { goal_id: goalId, entry_id: entryId, requester }
    const open = own.filter(({ erasedAt }) => erasedAt === null)
    if (open.length === 0) return answer
    const files = [...new Set(open.flatMap((one) => one.files.map(({ sha256 }) => sha256)))]
    for (const { id } of open) await eraseEntryContent(tx, id)
    const isDelivered = open.some(({ state }) => state === 'chosen') && goal.answer !== null
    if (isDelivered) await eraseDelivery(tx, goal, agentId)
    for (const sha256 of files) {
      const isNeeded = async () => (await isCallFile(tx, sha256)) || (await isEntryFile(tx, sha256))
      if (isDelivered) await eraseGoalFile(tx, goal, { sha256, by: did, isNeeded })
      else await eraseUnusedFile(tx, sha256, isNeeded)
    }
    await recordErasure(tx, goal, { ...answer, files, order: order ?? null })
    return answer
  })
}

/** A chosen entry is also the goal's answer and the result of its step. */
async function eraseDelivery(tx: Context, goal: Goal, agentId: string): Promise<void> {
  await saveGoal(tx, { ...goal, answer: [] } as typeof goal)
  const tasks = await listTasks(tx, goal.id)
  for (const task of tasks.filter((one) => one.agentId === agentId)) await eraseTaskText(tx, { taskId: task.id, act: 'task_result' })
}

const isOwnEntry = ({ actor }: Context, { agentId, ownerId }: ContestEntry): boolean =>
  (actor.kind === 'agent' && actor.agentId === agentId) || (actor.kind === 'person' && actor.did === ownerId)

async function recordErasure(tx: Context, goal: Goal, after: object): Promise<void> {
  await appendAudit(tx, { stream: goal.id, action: 'entry.erase', after })
  await sendSignal(tx, { topic: 'goal', id: goal.id })
}
