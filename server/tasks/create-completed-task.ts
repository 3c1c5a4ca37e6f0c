import type { ArtifactRef } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { enqueue } from '../delivery/index.ts'
import { moveStep, type StepView } from '../teams/index.ts'

export type FinishedWork = {
  readonly goalId: string
  readonly roomId: string
  readonly step: StepView
  readonly text: string
  /** Their bytes are stored. */
  readonly files: readonly ArtifactRef[]
  /** The DID of the agent that did it. */
  readonly by: string
}

/** Part of the transaction that delivers work which was done and accepted before its step was paid for: its task, already ended. */
export async function createCompletedTask(tx: Context, { goalId, roomId, step, text, files, by }: FinishedWork): Promise<string> {
  const taskId = tx.ids.next('tsk')
  const at = tx.clock.now()
  await tx.db.task.create({
    data: {
      ...{ id: taskId, goalId, roomId, step: step.step, agentId: step.agentId, senderId: step.senderId },
      epoch: 1 + (await tx.db.task.count({ where: { goalId, step: step.step } })),
      ...{ state: 'completed', acceptance: 'accepted', mode: step.mode, description: step.title, inputs: [] },
      ...{ leaseUntil: at, resultText: text, assignedAt: at, endedAt: at },
    },
  })
  await tx.db.artifact.createMany({
    data: files.map(({ sha256, name, media_type: mediaType, artifact_type: artifactType, size }) => ({
      ...{ goalId, sha256, name, mediaType, artifactType, size },
      ...{ taskId, by, at },
    })),
    skipDuplicates: true,
  })
  await moveStep(tx, { goalId, step, state: 'done', taskId })
  await appendAudit(tx, {
    stream: goalId,
    action: 'task.complete',
    after: { task_id: taskId, step: step.step, artifacts: files.map(({ sha256 }) => sha256) },
  })
  await enqueue(tx, { type: 'task.completed', goal_id: goalId as never, task_id: taskId as never })
  return taskId
}
