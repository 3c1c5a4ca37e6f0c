import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { readStoredMessages } from '../delivery/index.ts'
import { captureHold, getDisputeBy, isOutsideReview, listPayouts, voidHold } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { listTasks } from '../tasks/index.ts'
import { listSteps, type StepView } from '../teams/index.ts'
import { advanceGoal, type Goal } from './goal.ts'
import { lockGoal, saveGoal } from './goal-store.ts'
import { computeSettlementDecision, isDecided } from './review/compute-settlement-decision.ts'

/** Runs after every acceptance and return: requests the settlement when every completed task is decided. */
export async function settleGoal(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    if (goal.state !== 'review') return
    const tasks = await listTasks(tx, goalId)
    // A disputed or split step is settled separately, and does not delay the others.
    const payouts = await listPayouts(tx, { goalId })
    const isSplit = (step: number) => payouts.some((payout) => payout.step === step && isOutsideReview(payout))
    if (!isDecided(tasks, isSplit)) return
    const settling = advanceGoal(goal, { type: 'goal.settle' })
    await saveGoal(tx, settling)
    await requestSettlement(tx, settling)
    await appendAudit(tx, { stream: goalId, action: 'goal.settle', before: { state: goal.state }, after: { state: settling.state } })
    await sendSignal(tx, { topic: 'goal', id: goalId })
  })
}

/**
 * Requests the payment of the accepted and split steps and the refund of the rest, bound to the conclusion. Returned steps are refunded
 * only after their dispute window.
 */
export async function requestSettlement(tx: Context, goal: Goal): Promise<void> {
  const conclusionHash = await conclusionHashOf(tx, goal)
  const { bits, halves, taskIds, returned } = computeSettlementDecision(await listSteps(tx, goal.id), await listTasks(tx, goal.id))
  const disputeBy = await openDisputeWindow(tx, goal, returned)
  if (bits === 0n) await voidHold(tx, { goalId: goal.id, conclusionHash, disputeBy })
  else await captureHold(tx, { goalId: goal.id, bits, halves, conclusionHash, taskIds, disputeBy })
}

/** Announces the dispute window of the returned steps; null if none can be disputed. */
async function openDisputeWindow(tx: Context, goal: Goal, returned: readonly StepView[]): Promise<number | null> {
  const payouts = await listPayouts(tx, { goalId: goal.id })
  const steps = returned.map(({ step }) => step).filter((step) => payouts.some((one) => one.step === step && one.state === 'sealed'))
  const disputeBy = steps.length > 0 ? await getDisputeBy(tx, { goalId: goal.id, reviewSeconds: goal.reviewHours * 3_600 }) : null
  if (disputeBy === null) return null
  const at = new Date(disputeBy * 1_000).toISOString()
  const isOne = steps.length === 1
  await postSystemMessage(tx, {
    roomId: goal.roomId,
    state: 'conclusion',
    kind: 'dispute.window',
    text: `The money of step${isOne ? '' : 's'} ${steps.join(', ')} stays in the escrow until ${at}: until then its payee${isOne ? '' : 's'} can dispute the return.`,
    data: { goal_id: goal.id, steps, dispute_by: at },
  })
  return disputeBy
}

async function conclusionHashOf(tx: Context, goal: Goal): Promise<`0x${string}`> {
  if (goal.conclusionSeq === null) return `0x${'0'.repeat(64)}`
  const [message] = await readStoredMessages(tx, { roomId: goal.roomId, after: goal.conclusionSeq - 1, limit: 1 })
  if (!message) throw new Error(`goal ${goal.id} concludes at a message that is not there`)
  return `0x${message.hash}`
}
