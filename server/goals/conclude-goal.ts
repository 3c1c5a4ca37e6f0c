import type { ConcludeGoal } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { speak } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue, schedule } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { voidHold } from '../settlement/index.ts'
import { cancelTasks } from '../tasks/index.ts'
import { listSteps } from '../teams/index.ts'
import { wake } from '../wake.ts'
import { goalIncomplete, goalNotPrincipal } from './errors.ts'
import { advanceGoal } from './goal.ts'
import { lockGoal, saveGoal } from './store.ts'

/**
 * The principal ends the work with the message that everything else is bound to: its place in the room's hash chain is the
 * `conclusion_hash` of the settlement. `failed` sends the whole hold back.
 */
export async function concludeGoal(ctx: Context, input: ConcludeGoal): Promise<{ goal_id: string; state: string }> {
  await permit(ctx, 'goal.conclude')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw goalNotPrincipal(actor.kind)
  return inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, input.goal_id)
    if (goal.principalId !== actor.did) throw goalNotPrincipal(actor.did)
    if (goal.outcome === input.outcome) return { goal_id: goal.id, state: goal.state }
    const open =
      input.outcome === 'delivered' ? (await listSteps(tx, goal.id)).filter((step) => step.state !== 'done').map((step) => step.step) : []
    if (open.length > 0) throw goalIncomplete(open)
    const at = tx.clock.now()
    // Asked first, so that a goal in the wrong state hears no conclusion.
    advanceGoal(
      goal,
      input.outcome === 'delivered'
        ? { type: 'goal.deliver', seq: 1, at, answer: null }
        : { type: 'goal.end', outcome: 'failed', seq: 1, at, answer: null },
    )
    const said = await speak(tx, {
      groupId: goal.groupId,
      given: input.envelope,
      say: { act: 'conclusion', state: 'conclusion', parts: input.parts },
    })
    const answer = said.envelope.parts
    const concluded = advanceGoal(
      goal,
      input.outcome === 'delivered'
        ? { type: 'goal.deliver', seq: said.seq, at, answer }
        : { type: 'goal.end', outcome: 'failed', seq: said.seq, at, answer },
    )
    await saveGoal(tx, concluded)
    if (concluded.state === 'review')
      await schedule(tx, 'lapse-review', { goalId: goal.id }, { runAt: concluded.reviewBy, jobKey: `review:${goal.id}` })
    else {
      await cancelTasks(tx, goal.id, 'The goal ended without a result.')
      await voidHold(tx, { goalId: goal.id, conclusionHash: `0x${said.hash}` })
    }
    await appendAudit(tx, {
      chain: goal.id,
      action: 'goal.conclude',
      before: { state: goal.state },
      after: { state: concluded.state, outcome: input.outcome, seq: said.seq, conclusion_hash: said.hash },
    })
    await enqueue(tx, { type: 'goal.concluded', goal_id: input.goal_id, outcome: input.outcome })
    await wake(tx, { topic: 'goal', id: goal.id })
    return { goal_id: goal.id, state: concluded.state }
  })
}
