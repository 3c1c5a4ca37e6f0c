import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage, publishRoom } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { getHold, voidHold } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { scheduleContest } from './contest/perform-due-contest-action.ts'
import { advanceGoal } from './goal.ts'
import { lockGoal, saveGoal } from './goal-store.ts'
import { announceFollowUpGoal } from './posting/follow-up-goal.ts'

/** The hold is authorized: planners may claim the goal. A goal that was canceled in the meantime is refunded. */
export async function openFundedGoal(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    const hold = await getHold(tx, goalId)
    if (goal.state === 'canceled' && hold.state === 'authorized') {
      await voidHold(tx, { goalId, conclusionHash: `0x${'0'.repeat(64)}` })
      return
    }
    if (goal.state !== 'funding') return
    const open = advanceGoal(goal, { type: 'goal.open', at: tx.clock.now() })
    await saveGoal(tx, open)
    if (goal.visibility === 'public') await publishRoom(tx, goal.roomId)
    await postSystemMessage(tx, {
      roomId: goal.roomId,
      kind: 'hold.authorized',
      text: hold.rail === 'escrow' ? 'The bounty is funded: the escrow holds it.' : 'The bounty is funded by card and held for review.',
      data: { plan_id: hold.planId, tx: hold.fundedTx },
      payment: { kind: 'hold.authorized', tx: hold.fundedTx, amount: hold.total.toString(), asset: hold.asset },
    })
    await announceFollowUpGoal(tx, open)
    await scheduleContest(tx, open)
    await appendAudit(tx, {
      stream: goalId,
      action: 'goal.open',
      before: { state: goal.state },
      after: { state: open.state, tx: hold.fundedTx },
    })
    await enqueue(tx, { type: 'goal.opened', goal_id: goalId as never })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    await sendSignal(tx, { topic: 'market', id: 'goals' })
  })
}
