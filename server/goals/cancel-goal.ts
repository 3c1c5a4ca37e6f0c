import type { CancelGoal } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { actingAs } from '../context.ts'
import { postInTransaction } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { acceptTask, restoreUnchangedDeliveries } from '../tasks/index.ts'
import { findTeam } from '../teams/index.ts'
import { readChosenEntryCharterState } from './contest/chosen-entry-charter-state.ts'
import { goalNotClient, goalWrongState } from './errors.ts'
import { advanceGoal } from './goal.ts'
import { lockGoal, saveGoal } from './goal-store.ts'
import { requestSettlement } from './request-settlement.ts'
import { endRevision } from './review/revision-store.ts'

/**
 * The client cancels. Before funding nothing else happens. After funding, completed steps are paid and the rest is refunded. In review
 * this accepts everything pending; returned work is refunded after its dispute window, and disputed steps wait for their ruling.
 * Delivered work stays with the client. Refused once the settlement has begun, and in a contest once an entry is approved.
 * @throws goal.not_client, goal.wrong_state
 */
export async function cancelGoal(ctx: Context, input: CancelGoal): Promise<{ goal_id: string; state: string }> {
  await permit(ctx, 'goal.cancel')
  const { actor } = ctx
  return inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, input.goal_id)
    if (actor.kind !== 'person' || goal.clientId !== actor.did) throw goalNotClient(actor.kind === 'person' ? actor.did : actor.kind)
    await claimIdempotencyKey(tx, goal.id, input)
    if (goal.state === 'canceled' || goal.outcome === 'stopped') return { goal_id: goal.id, state: goal.state }
    if (goal.state === 'funding') {
      const canceled = advanceGoal(goal, { type: 'goal.cancel' })
      await saveGoal(tx, canceled)
      await appendAudit(tx, { stream: goal.id, action: 'goal.cancel', before: { state: goal.state }, after: { state: canceled.state } })
      await enqueue(tx, { type: 'goal.canceled', goal_id: input.goal_id })
      await sendSignal(tx, { topic: 'goal', id: goal.id })
      return { goal_id: goal.id, state: canceled.state }
    }
    if (goal.state !== 'open' && goal.state !== 'underway' && goal.state !== 'review') throw goalWrongState(goal.state, 'goal.cancel')
    // Its work was done before, and accepted with the choice. Only the delivery by the server is missing.
    if (goal.contest !== null && goal.state === 'underway' && (await readChosenEntryCharterState(tx, goal.id)) === 'approved')
      throw goalWrongState('a contest with an approved entry', 'goal.cancel')
    const posted = await postInTransaction(tx, {
      roomId: goal.roomId,
      message: { act: 'cancel', state: 'conclusion', parts: [{ text: input.reason }, { data: { kind: 'goal.stopped' } }] },
    })
    const stopped = advanceGoal(goal, { type: 'goal.end', outcome: 'stopped', seq: posted.seq, at: tx.clock.now(), answer: goal.answer })
    await saveGoal(tx, stopped)
    // Work whose changes were requested counts as delivered.
    await restoreUnchangedDeliveries(tx, goal.id, 'The client stopped the goal.')
    await endRevision(tx, goal.id)
    if (await findTeam(tx, goal.id))
      await acceptTask(actingAs(tx, { kind: 'system', name: 'jobs' }), { type: 'task.accept', goal_id: input.goal_id })
    await requestSettlement(tx, stopped)
    await appendAudit(tx, {
      stream: goal.id,
      action: 'goal.cancel',
      before: { state: goal.state },
      after: { state: stopped.state, seq: posted.seq },
    })
    await enqueue(tx, { type: 'goal.concluded', goal_id: input.goal_id, outcome: 'stopped' })
    await sendSignal(tx, { topic: 'goal', id: goal.id })
    return { goal_id: goal.id, state: stopped.state }
  })
}
