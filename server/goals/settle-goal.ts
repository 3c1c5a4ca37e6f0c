import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../db.ts'
import { readLog } from '../delivery/index.ts'
import { captureHold, listPayouts, voidHold } from '../settlement/index.ts'
import { listTasks } from '../tasks/index.ts'
import { listSteps } from '../teams/index.ts'
import { wake } from '../wake.ts'
import { advanceGoal, type Goal } from './goal.ts'
import { lockGoal, saveGoal } from './store.ts'

/** States of a payout whose step the client's word no longer decides. */
const apart: readonly string[] = ['disputed', 'split', 'refunded']

/** Woken by every acceptance and return: once each completed task of a delivered goal has its word, the money goes. */
export async function settleGoal(ctx: Context, goalId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const goal = await lockGoal(tx, goalId)
    if (goal.state !== 'review') return
    const tasks = await listTasks(tx, goalId)
    // A step at odds has its own way out, and holds up no other.
    const payouts = await listPayouts(tx, { goalId })
    const isApart = (step: number) => payouts.some((payout) => payout.step === step && apart.includes(payout.state))
    if (tasks.some((task) => task.state === 'completed' && task.acceptance === 'pending' && !isApart(task.step))) return
    const settling = advanceGoal(goal, { type: 'goal.settle' })
    await saveGoal(tx, settling)
    await payOut(tx, settling)
    await appendAudit(tx, { chain: goalId, action: 'goal.settle', before: { state: goal.state }, after: { state: settling.state } })
    await wake(tx, { topic: 'goal', id: goalId })
  })
}

/** Asks the rail to pay the accepted steps and send the rest back, bound to the goal's last message. */
export async function payOut(tx: Context, goal: Goal): Promise<void> {
  const conclusionHash = await conclusionHashOf(tx, goal)
  const tasks = await listTasks(tx, goal.id)
  let bits = 0n
  const taskIds: Record<number, string> = {}
  for (const step of await listSteps(tx, goal.id)) {
    const task = tasks.find((one) => one.id === step.taskId)
    if (step.state !== 'done' || task?.state !== 'completed' || task.acceptance !== 'accepted') continue
    bits |= 1n << BigInt(step.step - 1)
    taskIds[step.step] = task.id
  }
  if (bits === 0n) await voidHold(tx, { goalId: goal.id, conclusionHash })
  else await captureHold(tx, { goalId: goal.id, bits, conclusionHash, taskIds })
}

async function conclusionHashOf(tx: Context, goal: Goal): Promise<`0x${string}`> {
  if (goal.conclusionSeq === null) return `0x${'0'.repeat(64)}`
  const [message] = await readLog(tx, { groupId: goal.groupId, after: goal.conclusionSeq - 1, limit: 1 })
  if (!message) throw new Error(`goal ${goal.id} concludes at a message that is not there`)
  return `0x${message.hash}`
}
