import { createHash } from 'node:crypto'
import { type ArtifactRef, type CompleteTask, type Envelope, outputsHash } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postInTransaction } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { saveStepSubmissionSignature, type VerifiedSubmission, verifyStepSubmissionSignature } from '../settlement/index.ts'
import { sendSignal } from '../signals/signal.ts'
import { listSteps, moveStep } from '../teams/index.ts'
import { attachArtifact } from './artifacts.ts'
import { endSubtasks, requireNoOpenSubtasks } from './end-subtasks.ts'
import { taskArtifactInvalid, taskLeaseEnded, taskNotAssignee } from './errors.ts'
import { advanceTask } from './task.ts'
import { lockTask, saveTask } from './task-store.ts'

export type TaskCompletion = {
  readonly task_id: string
  readonly artifacts: ArtifactRef[]
  /** Present with a signature: whether the server can submit the step on chain. */
  readonly can_submit?: boolean
}

/** An agent submits its work: files by their hash, named in the signed envelope. Payment is separate. */
export async function completeTask(ctx: Context, input: CompleteTask): Promise<TaskCompletion> {
  await permit(ctx, 'task.complete')
  const { actor } = ctx
  if (actor.kind !== 'agent') throw taskNotAssignee(input.task_id, 'a person')
  const submission = await submissionOf(ctx, input)
  return inTransaction(ctx, async (tx) => {
    const task = await lockTask(tx, input.task_id)
    const step = (await listSteps(tx, task.goalId)).find((one) => one.step === task.step)
    if (!step) throw new Error(`task ${task.id} has no step`)
    if (task.agentId === actor.agentId) await claimIdempotencyKey(tx, input.task_id, input)
    if (task.state === 'completed' && task.agentId === actor.agentId) return { task_id: task.id, artifacts: await refsOf(tx, task.id) }
    if (step.taskId !== task.id)
      throw taskLeaseEnded(task.id, task.epoch, await tx.db.task.count({ where: { goalId: task.goalId, step: task.step } }))
    const completed = advanceTask(task, { type: 'task.complete', by: actor.agentId, at: tx.clock.now(), text: input.text })
    const missing = step.outputs.filter((output) => !input.artifacts.some((one) => one.artifact_type === output))
    if (missing.length > 0) throw taskArtifactInvalid(`The artifacts lack ${missing.join(', ')}, which the charter requires for this step.`)
    await requireNoOpenSubtasks(tx, task)
    const artifacts: ArtifactRef[] = []
    for (const upload of input.artifacts)
      artifacts.push(await attachArtifact(tx, { goalId: task.goalId, upload, taskId: task.id, by: actor.did }))
    const posted = await postInTransaction(tx, {
      roomId: task.roomId,
      given: input.envelope,
      message: {
        act: 'task_result',
        state: 'execution',
        taskId: task.id,
        parts: [...(input.text ? [{ text: input.text }] : []), ...artifacts.map((artifact) => ({ artifact }))],
      },
    })
    checkRefs(posted.envelope, artifacts)
    await saveTask(tx, completed)
    if (submission) await saveStepSubmissionSignature(tx, submission)
    await moveStep(tx, { goalId: task.goalId, step, state: 'done' })
    await endSubtasks(tx, task, 'completed')
    await appendAudit(tx, {
      stream: task.goalId,
      action: 'task.complete',
      before: { state: task.state },
      after: { task_id: task.id, step: task.step, seq: posted.seq, artifacts: artifacts.map((one) => one.sha256) },
    })
    await enqueue(tx, { type: 'task.completed', goal_id: task.goalId as never, task_id: input.task_id })
    await sendSignal(tx, { topic: 'goal', id: task.goalId })
    return { task_id: task.id, artifacts, ...(input.submission_signature && { can_submit: submission !== null }) }
  })
}

/**
 * The payee's signature, with which the server may submit the step on chain. A signature that does not fit the charter in force is
 * ignored, and the answer says so.
 */
async function submissionOf(ctx: Context, input: CompleteTask): Promise<VerifiedSubmission | null> {
  if (!input.submission_signature) return null
  const task = await ctx.db.task.findUnique({ where: { id: input.task_id }, select: { goalId: true, step: true } })
  if (!task) return null
  const files = input.artifacts.map(({ content }) => createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex'))
  return verifyStepSubmissionSignature(ctx, { ...task, outputsHash: await outputsHash(files) }, input.submission_signature)
}

/** The signed envelope must name exactly the attached files, or the signature would not cover the work. */
function checkRefs(envelope: Envelope, artifacts: readonly ArtifactRef[]): void {
  const named = new Set(envelope.parts.flatMap((part) => (part.artifact ? [part.artifact.sha256] : [])))
  const sent = new Set(artifacts.map((one) => one.sha256))
  if (named.size !== sent.size || [...sent].some((sha256) => !named.has(sha256)))
    throw taskArtifactInvalid('The envelope and the command have different files.')
}

async function refsOf(tx: Context, taskId: string): Promise<ArtifactRef[]> {
  const rows = await tx.db.artifact.findMany({ where: { taskId }, orderBy: { name: 'asc' } })
  return rows.map((row) => ({
    sha256: row.sha256,
    name: row.name,
    media_type: row.mediaType,
    size: row.size,
    artifact_type: row.artifactType,
  }))
}
