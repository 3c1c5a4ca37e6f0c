import { type ConcludeGoal, Part } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postInTransaction, postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { voidHold } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { cancelTasks, restoreUnchangedDeliveries } from '../tasks/index.ts'
import { disbandTeam, listSteps, requireUnchangeableStepPay } from '../teams/index.ts'
import { goalIncomplete, goalNotPrincipal, goalWrongState } from './errors.ts'
import { advanceGoal, type Goal, type GoalEvent } from './goal.ts'
import { lockGoal, saveGoal } from './goal-store.ts'
import { silencePhrases } from './review/remind-client-of-review.ts'
import { endRevision, findOpenRevision } from './review/revision-store.ts'
import { scheduleReviewEnd } from './review/schedule-review-end.ts'

/**
 * The principal concludes the goal. The hash-chain position of its message is the `conclusion_hash` of the settlement. `delivered`
 * requires every step. `failed` disbands the team; the client still reviews completed steps, and the rest is refunded with the
 * settlement. Without completed steps everything is refunded at once.
 */
export async function concludeGoal(ctx: Context, input: ConcludeGoal): Promise<{ goal_id: string; state: string }> {
  await permit(ctx, 'goal.conclude')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw goalNotPrincipal(actor.kind)
  return inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, input.goal_id)
    if (goal.principalId !== actor.did) throw goalNotPrincipal(actor.did)
    // The server concludes it. The chosen agent can't end it, so that the client can still choose another entry.
    if (goal.contest !== null) throw goalWrongState('a contest', 'goal.conclude')
    if (goal.outcome === input.outcome) return repeated(tx, input, goal)
    const before = await findOpenRevision(tx, goal.id)
    if (before && input.outcome === 'failed') await restoreUnchangedDeliveries(tx, goal.id, 'The changes were not made.')
    const steps = await listSteps(tx, goal.id)
    const done = steps.filter((step) => step.state === 'done').map(({ step }) => step)
    const open = steps.filter((step) => step.state !== 'done' && !step.canceled).map(({ step }) => step)
    if (input.outcome === 'delivered' && open.length > 0) throw goalIncomplete(open)
    await requireUnchangeableStepPay(tx, { goalId: goal.id, steps: steps.filter((step) => done.includes(step.step)) })
    const at = tx.clock.now()
    const concludedBy = (seq: number, answer: unknown): GoalEvent =>
      input.outcome === 'delivered' || done.length > 0
        ? { type: 'goal.review', outcome: input.outcome, seq, at, answer }
        : { type: 'goal.end', outcome: 'failed', seq, at, answer }
    // Check first, so that no conclusion is posted for a goal in the wrong state.
    advanceGoal(goal, concludedBy(1, null))
    const posted = await postInTransaction(tx, {
      roomId: goal.roomId,
      given: input.envelope,
      message: { act: 'conclusion', state: 'conclusion', parts: input.parts },
    })
    const answer = before && input.outcome === 'failed' ? withFormerFiles(posted.envelope.parts, before.answer) : posted.envelope.parts
    const concluded = advanceGoal(goal, concludedBy(posted.seq, answer))
    await saveGoal(tx, concluded)
    await endRevision(tx, goal.id)
    await claimIdempotencyKey(tx, conclusionKey(goal.id, posted.seq), input)
    if (input.outcome === 'failed') {
      await cancelTasks(tx, goal.id, 'The goal ended without a result.')
      await disbandTeam(tx, goal.id)
    }
    if (concluded.state === 'review') {
      await scheduleReviewEnd(tx, concluded)
      if (input.outcome === 'failed') await announceOpenSteps(tx, concluded, done, open)
    } else await voidHold(tx, { goalId: goal.id, conclusionHash: `0x${posted.hash}` })
    await appendAudit(tx, {
      stream: goal.id,
      action: 'goal.conclude',
      before: { state: goal.state },
      after: { state: concluded.state, outcome: input.outcome, seq: posted.seq, conclusion_hash: posted.hash },
    })
    await enqueue(tx, { type: 'goal.concluded', goal_id: input.goal_id, outcome: input.outcome })
    await sendSignal(tx, { topic: 'goal', id: goal.id })
    return { goal_id: goal.id, state: concluded.state }
  })
}

/** Without the requested changes, the files of the delivery before are the answer. */
function withFormerFiles(parts: readonly Part[], former: unknown): readonly unknown[] {
  const files = Array.isArray(former) ? former.filter((part: unknown) => Part.safeParse(part).data?.artifact !== undefined) : []
  return [...parts, ...files]
}

/** A goal can be concluded once each time it is underway. */
const conclusionKey = (goalId: string, seq: number | null) => `${goalId}:${seq}`

/** @throws request.id_reused if the content differs */
async function repeated(tx: Context, input: ConcludeGoal, { id, state, conclusionSeq }: Goal): Promise<{ goal_id: string; state: string }> {
  await claimIdempotencyKey(tx, conclusionKey(id, conclusionSeq), input)
  return { goal_id: id, state }
}

/** Announces which steps of a failed goal await the review, its deadline, and what is refunded. */
async function announceOpenSteps(tx: Context, goal: Extract<Goal, { state: 'review' }>, done: number[], open: number[]): Promise<void> {
  const at = goal.reviewBy.toISOString()
  const are = done.length === 1 ? 'is' : 'are'
  await postSystemMessage(tx, {
    roomId: goal.roomId,
    state: 'conclusion',
    kind: 'goal.unfinished',
    text: `${named(done)} ${done.length === 1 ? 'was' : 'were'} completed, and ${are} the client's to accept or return until ${at}; without an answer ${silencePhrases[goal.onSilence]} then. ${
      open.length > 0 ? `The money of ${named(open).toLowerCase()} goes back with that.` : ''
    }`.trim(),
    data: { goal_id: goal.id, completed: done, unfinished: open, review_by: at },
  })
}

const named = (steps: readonly number[]) => `Step${steps.length === 1 ? '' : 's'} ${steps.join(', ')}`
