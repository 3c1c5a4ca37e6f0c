import { outputsHash, type TaskReceipt } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import { seconds } from '../clock.ts'
import type { Context } from '../context.ts'
import { postSystemMessage } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { getAgentInboxId } from '../registry/index.ts'
import { getEscrowTerms, getEvaluatorAttestedCharterHash, getHold } from '../settlement/index.ts'
import { listSteps } from '../teams/index.ts'
import type { CompletedTask } from './task.ts'
import { listTasks } from './task-store.ts'

type Receipt = Pick<TaskReceipt, 'plan' | 'terms' | 'version' | 'charter' | 'bits' | 'outputs_hash' | 'received_at' | 'signature'>

/**
 * Sends each worker the evaluator's receipt for its completed task under the charter in force. With it the escrow pays the step even if
 * client and server stay silent. Idempotent.
 */
export async function issueCompletionReceipts(ctx: Context, goalId: string): Promise<void> {
  const hold = await getHold(ctx, goalId)
  if (hold.rail !== 'escrow' || hold.state !== 'authorized' || hold.charterHash === null) return
  const plan = { chain_id: hold.chainId, escrow: hold.escrow, plan_id: hold.planId }
  const version = hold.charterVersion
  const charter = await getEvaluatorAttestedCharterHash(ctx, goalId, version)
  const steps = await listSteps(ctx, goalId)
  const given = await ctx.db.taskReceipt.findMany({ where: { goalId, version }, select: { taskId: true } })
  for (const task of await listTasks(ctx, goalId)) {
    const isDone = steps.some((step) => step.taskId === task.id && step.state === 'done')
    if (!isDone || task.state !== 'completed' || given.some((one) => one.taskId === task.id)) continue
    const files = await ctx.db.artifact.findMany({ where: { taskId: task.id }, select: { sha256: true } })
    const receipt = {
      plan,
      version,
      charter,
      bits: (1n << BigInt(task.step - 1)).toString(),
      outputs_hash: await outputsHash(files.map((file) => file.sha256)),
      received_at: seconds(task.endedAt),
    }
    // Sign before the transaction, because a remote signer can be slow.
    const signature = await ctx.ports.rail.signSubmission(receipt)
    await saveReceipt(ctx, task, { ...receipt, terms: await getEscrowTerms(ctx, goalId), signature })
  }
}

async function saveReceipt(ctx: Context, task: CompletedTask, receipt: Receipt): Promise<void> {
  const { version, outputs_hash: outputsHash, received_at: receivedAt, signature } = receipt
  await inTransaction(ctx, async (tx) => {
    const made = await tx.db.taskReceipt.createMany({
      data: [{ taskId: task.id, version, goalId: task.goalId, step: task.step, outputsHash, receivedAt, signature }],
      skipDuplicates: true,
    })
    if (made.count === 0) return
    await postSystemMessage(tx, {
      roomId: await getAgentInboxId(tx, task.agentId),
      kind: 'task.receipt',
      data: { goal_id: task.goalId, room_id: task.roomId, task_id: task.id, step: task.step, ...receipt } as never,
    })
    await appendAudit(tx, {
      stream: task.goalId,
      action: 'task.acknowledge',
      after: { task_id: task.id, step: task.step, version, outputs_hash: outputsHash },
    })
  })
}
