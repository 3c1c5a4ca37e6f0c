import type { RequestRevision } from '@parley/protocol'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../context.ts'
import { postSystemMessage } from '../../conversations/index.ts'
import { inTransaction } from '../../db.ts'
import { claimIdempotencyKey, enqueue, schedule } from '../../delivery/index.ts'
import { permit } from '../../policy/index.ts'
import { sendSignal } from '../../signals/signal.ts'
import { reopenTasksForChanges } from '../../tasks/index.ts'
import { goalNotClient, goalWrongState, revisionsUsed, revisionTooLate } from '../errors.ts'
import { advanceGoal, type Goal } from '../goal.ts'
import { lockGoal, saveGoal } from '../goal-store.ts'
import { saveRevision } from './revision-store.ts'

/** The minimum time between a request and the deadline, so that the changes can be made. */
const minRevisionMs = 60_000

export type RequestedRevision = { readonly goal_id: string; readonly round: number; readonly state: string }

/**
 * The client requests changes in review. The chosen steps and those that build on them go back to their agents, with the reason. No money
 * moves: if no other delivery follows by the deadline, the one before is in review again.
 * @throws goal.not_client, goal.wrong_state, revision.none_left, goal.deadline_passed
 */
export async function requestRevision(ctx: Context, input: RequestRevision): Promise<RequestedRevision> {
  await permit(ctx, 'revision.request')
  const { actor } = ctx
  return inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, input.goal_id)
    if (actor.kind !== 'person' || goal.clientId !== actor.did) throw goalNotClient(actor.kind === 'person' ? actor.did : actor.kind)
    await claimIdempotencyKey(tx, `${goal.id}:${input.round}`, input)
    if (input.round <= goal.revisions) return { goal_id: goal.id, round: input.round, state: goal.state }
    const review = requireRevisable(tx, goal, input.round)
    const reopened = await reopenTasksForChanges(tx, { goalId: goal.id, taskIds: input.task_ids, reason: input.reason })
    await saveRevision(tx, { goal: review, reason: input.reason, steps: reopened.steps })
    const revised = advanceGoal(goal, { type: 'goal.revise' })
    await saveGoal(tx, revised)
    await schedule(tx, 'expire-revision', { goalId: goal.id }, { runAt: goal.deadline, jobKey: `revision:${goal.id}` })
    await announceRevision(tx, revised, { ...reopened, reason: input.reason })
    await appendAudit(tx, {
      stream: goal.id,
      action: 'revision.request',
      before: { state: goal.state },
      after: { state: revised.state, round: input.round, task_ids: [...reopened.taskIds], reason: input.reason },
    })
    await enqueue(tx, { type: 'revision.requested', goal_id: input.goal_id })
    await sendSignal(tx, { topic: 'goal', id: goal.id })
    await sendSignal(tx, { topic: 'market', id: 'goals' })
    return { goal_id: goal.id, round: input.round, state: revised.state }
  })
}

/** The goal, if its client can request this round of changes now. */
function requireRevisable(tx: Context, goal: Goal, round: number): Extract<Goal, { state: 'review' }> {
  if (goal.state !== 'review') throw goalWrongState(goal.state, 'revision.request')
  // A failed goal has no team any more.
  if (goal.outcome !== 'delivered') throw goalWrongState(goal.outcome, 'revision.request')
  if (round !== goal.revisions + 1) throw goalWrongState(`at round ${goal.revisions}`, `revision.request of round ${round}`)
  if (goal.revisions >= goal.revisionRounds) throw revisionsUsed(goal.revisionRounds)
  if (goal.deadline.getTime() - tx.clock.now().getTime() < minRevisionMs) throw revisionTooLate(goal.deadline)
  return goal
}

type Announced = { readonly steps: readonly number[]; readonly taskIds: readonly string[]; readonly reason: string }

async function announceRevision(tx: Context, goal: Goal, { steps, taskIds, reason }: Announced): Promise<void> {
  const { revisions: round, revisionRounds: rounds } = goal
  await postSystemMessage(tx, {
    roomId: goal.roomId,
    state: 'discussion',
    kind: 'revision.requested',
    text: `The client requests changes (round ${round} of ${rounds}): ${reason}`,
    data: { goal_id: goal.id, round, rounds, task_ids: [...taskIds], steps: [...steps], reason },
  })
}
