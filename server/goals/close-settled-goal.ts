import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { enqueue } from '../delivery/index.ts'
import { getAgentInboxId, getListing } from '../registry/index.ts'
import { inviteFeedback, recordTaskOutcome } from '../reputation/index.ts'
import { getHold, listPayouts, type PayoutView, paidShareOf } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { cancelTasks } from '../tasks/index.ts'
import { listSteps, moveStep, type StepView } from '../teams/index.ts'
import { declineWaitingEntries } from './contest/decline-waiting-entries.ts'
import { advanceGoal, type Goal, isGoalOver } from './goal.ts'
import { lockGoal, saveGoal } from './goal-store.ts'

/** The rail has settled the hold: updates steps, records and the room, and notifies the agents. Idempotent. */
export async function closeSettledGoal(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    const hold = await getHold(tx, goalId)
    const outcome = hold.state === 'captured' ? 'paid' : hold.state === 'voided' || hold.state === 'reclaimed' ? 'refunded' : null
    if (outcome === null || isGoalOver(goal)) return
    const closed = advanceGoal(goal, { type: 'goal.close', outcome, at: tx.clock.now() })
    await saveGoal(tx, closed)
    if (hold.state === 'reclaimed') await cancelTasks(tx, goalId, 'The hold expired and went back to the client.')
    else if (goal.outcome === null) await cancelTasks(tx, goalId, 'The plan was closed on its rail while the work went on.')
    await declineWaitingEntries(tx, goalId, 'The goal ended without a choice.')
    const steps = await listSteps(tx, goalId)
    const payouts = await listPayouts(tx, { goalId })
    const paidFor = (step: StepView) => paidAmountOf(payouts.find((payout) => payout.step === step.step))
    for (const step of steps) await closeStep(tx, goal, step, { paid: paidFor(step), payer: hold.client })
    const paid = steps.flatMap((step) => {
      const amount = paidFor(step)
      return amount === null ? [] : [{ ...step, amount }]
    })
    for (const step of paid) await inviteReviewers(tx, goal, step, steps)
    await announceResult(tx, goal, { outcome, hold, paid })
    await appendAudit(tx, {
      stream: goalId,
      action: 'goal.close',
      before: { state: goal.state },
      after: { state: closed.state, tx: hold.settledTx },
    })
    await enqueue(tx, { type: 'goal.settled', goal_id: goalId as never, outcome })
    await sendSignal(tx, { topic: 'goal', id: goalId })
    await sendSignal(tx, { topic: 'market', id: 'goals' })
  })
}

/** What a step was paid before royalties; for a split, its payee's part. Null if nothing. */
function paidAmountOf(payout: PayoutView | undefined): bigint | null {
  const isPaid = payout?.state === 'paid' || payout?.state === 'credited' || payout?.state === 'split'
  return payout && isPaid ? paidShareOf(payout) : null
}

type StepPayment = { readonly paid: bigint | null; readonly payer: string }

async function closeStep(tx: Context, goal: Goal, step: StepView, { paid, payer }: StepPayment): Promise<void> {
  const isPaid = paid !== null
  if (step.state === 'paid' || step.state === 'refunded') return
  await moveStep(tx, { goalId: goal.id, step, state: isPaid ? 'paid' : 'refunded' })
  if (step.taskId === null) return
  if (isPaid || step.state === 'done') {
    await recordTaskOutcome(tx, {
      taskId: step.taskId,
      goalId: goal.id,
      agentId: step.agentId,
      payerId: payer,
      outcome: isPaid ? 'paid' : 'refunded',
      amount: paid ?? step.amount,
      asset: goal.asset,
    })
  }
}

function refundText(paid: number): string {
  if (paid === 0) return 'The hold was refunded to the client.'
  return `The plan expired: ${paid} ${paid === 1 ? 'step is' : 'steps are'} paid, and the rest was refunded to the client.`
}

/** The parties that a paid step served: the agents that used its output, and the client. */
async function inviteReviewers(tx: Context, goal: Goal, step: StepView, steps: readonly StepView[]): Promise<void> {
  if (step.taskId === null) return
  const judged = { taskId: step.taskId, agentId: step.agentId, goalId: goal.id, amount: step.amount }
  const consumers = new Map(
    steps
      .filter((one) => one.inputs.some((input) => input.step === step.step) && one.agentId !== step.agentId)
      .map((one) => [one.agentId, one.senderId]),
  )
  // The agent that hired for a step has used its output.
  const hirer = steps.find((one) => one.step === step.parent)
  if (hirer && hirer.agentId !== step.agentId) consumers.set(hirer.agentId, hirer.senderId)
  for (const [agentId, did] of consumers) {
    await inviteFeedback(tx, { ...judged, by: did })
    await postSystemMessage(tx, {
      roomId: await getAgentInboxId(tx, agentId),
      act: 'invite',
      kind: 'feedback.invite',
      data: { goal_id: goal.id, task_id: step.taskId, agent_id: step.agentId, of: step.title },
    })
  }
  // A client that hires its own agent may not rate it.
  const { owner_id } = await getListing(tx, step.agentId)
  if (owner_id !== goal.clientId) await inviteFeedback(tx, { ...judged, by: goal.clientId })
}

type Result = {
  readonly outcome: 'paid' | 'refunded'
  readonly hold: Awaited<ReturnType<typeof getHold>>
  /** The steps that are paid, with the amounts that were paid. */
  readonly paid: readonly StepView[]
}

async function announceResult(tx: Context, goal: Goal, result: Result): Promise<void> {
  const { outcome, hold, paid } = result
  const shares = paid.map((step) => ({ step: step.step, agent_id: step.agentId, payee: step.payee, amount: step.amount.toString() }))
  const isCaptured = outcome === 'paid'
  await postSystemMessage(tx, {
    roomId: goal.roomId,
    state: 'conclusion',
    kind: isCaptured ? 'hold.captured' : 'hold.voided',
    text: isCaptured
      ? `${hold.rail === 'escrow' ? 'Settled on chain' : 'Settled'}: ${paid.length} ${paid.length === 1 ? 'step is' : 'steps are'} paid.`
      : refundText(paid.length),
    data: { tx: hold.settledTx, payouts: shares, asset: hold.asset },
    payment: { kind: isCaptured ? 'hold.captured' : 'hold.voided', tx: hold.settledTx, asset: hold.asset, payouts: shares },
  })
  const steps = await listSteps(tx, goal.id)
  for (const agentId of new Set(steps.map((step) => step.agentId))) {
    const roomId = await getAgentInboxId(tx, agentId)
    const own = paid.filter((step) => step.agentId === agentId)
    if (own.length > 0) await announcePayout(tx, goal, { roomId, hold, steps: own })
    await postSystemMessage(tx, { roomId, kind: 'goal.closed', data: { goal_id: goal.id, room_id: goal.roomId, outcome } })
  }
}

type AgentPayout = { readonly roomId: string; readonly hold: Result['hold']; readonly steps: readonly StepView[] }

/** Notifies an agent in its inbox of what its steps were paid. */
async function announcePayout(tx: Context, goal: Goal, { roomId, hold, steps }: AgentPayout): Promise<void> {
  const amount = steps.reduce((sum, step) => sum + step.amount, 0n).toString()
  const task_ids = steps.flatMap((step) => step.taskId ?? [])
  const { asset, settledTx } = hold
  await postSystemMessage(tx, {
    roomId,
    kind: 'payout',
    data: { goal_id: goal.id, room_id: goal.roomId, task_ids, amount, asset, tx: settledTx },
    payment: { kind: 'payout', amount, asset, tx: settledTx },
  })
}
