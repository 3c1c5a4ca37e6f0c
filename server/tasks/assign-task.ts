import type { AssignTask } from '@parley/protocol'
import { appendAudit } from '../audit/index.ts'
import type { Context } from '../context.ts'
import { postInTransaction, requireMember } from '../conversations/index.ts'
import { inTransaction } from '../db.ts'
import { claimIdempotencyKey, enqueue, schedule } from '../delivery/index.ts'
import { permit } from '../policy/index.ts'
import { sendSignal } from '../signals/signal.ts'
import {
  getTeam,
  listSteps,
  moveStep,
  requireConfirmedStep,
  requireNotPaused,
  requireUnchangeableStepPay,
  type StepView,
  type Team,
} from '../teams/index.ts'
import { artifactNotFound, taskBlocked, taskNotPrincipal, taskWrongState } from './errors.ts'
import { leaseMs } from './task.ts'
import { findTask } from './task-store.ts'

/** The principal assigns a step of the sealed charter to its member, under a lease. */
export async function assignTask(ctx: Context, input: AssignTask): Promise<{ task_id: string; epoch: number }> {
  await permit(ctx, 'task.assign')
  return inTransaction(ctx, async (tx) => {
    await tx.db.$queryRaw`select 1 from "team" where "goalId" = ${input.goal_id} for update`
    const team = await getTeam(tx, input.goal_id)
    const steps = await listSteps(tx, input.goal_id)
    const roomId = steps.find((one) => one.step === input.step)?.roomId ?? team.roomId
    const member = await requireMember(tx, roomId)
    if (member.role !== 'principal') throw taskNotPrincipal(member.memberId)
    const earlier = await findTask(tx, input.task_id)
    if (earlier) {
      if (earlier.goalId !== input.goal_id || earlier.step !== input.step) throw taskWrongState(earlier.id, "another step's", 'task.assign')
      await claimIdempotencyKey(tx, input.task_id, input)
      return { task_id: earlier.id, epoch: earlier.epoch }
    }
    await claimIdempotencyKey(tx, input.task_id, input)
    await requireNotPaused(tx, input.goal_id)
    const step = await assignableStep(tx, team, steps, input)
    // The principal's own step is confirmed with the charter. Rooms of sub-teams need no confirmation.
    if (step.senderId !== team.principalId)
      await requireConfirmedStep(tx, { roomId, goalId: input.goal_id, step: step.step, agentId: step.agentId })
    return createTask(tx, { roomId, step, input })
  })
}

type Assignment = { readonly roomId: string; readonly step: StepView; readonly input: AssignTask }

/** Creates the step's next task, and assigns it in the room. */
async function createTask(tx: Context, assignment: Assignment): Promise<{ task_id: string; epoch: number }> {
  const { step, input } = assignment
  const { goal_id: goalId, task_id: taskId } = input
  const epoch = 1 + (await tx.db.task.count({ where: { goalId, step: input.step } }))
  const leaseUntil = new Date(tx.clock.now().getTime() + leaseMs)
  const posted = await postAssignment(tx, assignment)
  await tx.db.task.create({
    data: {
      id: taskId,
      goalId,
      roomId: assignment.roomId,
      step: step.step,
      epoch,
      agentId: step.agentId,
      senderId: step.senderId,
      state: 'submitted',
      mode: step.mode,
      description: input.task_desc || step.title,
      inputs: input.inputs as object[],
      reworks: input.reworks ?? null,
      leaseUntil,
      assignedAt: tx.clock.now(),
    },
  })
  await moveStep(tx, { goalId, step, state: 'assigned', taskId })
  await appendAudit(tx, {
    stream: goalId,
    action: 'task.assign',
    after: { task_id: taskId, step: step.step, agent_id: step.agentId, epoch, seq: posted.seq },
  })
  await enqueue(tx, { type: 'task.assigned', goal_id: goalId, task_id: taskId })
  await schedule(tx, 'expire-task', { taskId }, { runAt: leaseUntil, jobKey: `lease:${taskId}` })
  await sendSignal(tx, { topic: 'goal', id: goalId })
  return { task_id: taskId, epoch }
}

function postAssignment(tx: Context, { roomId, step, input }: Assignment) {
  const { task_id } = input
  return postInTransaction(tx, {
    roomId,
    given: input.envelope,
    records: { data: { kind: 'task', task_id, step: step.step } },
    message: {
      act: step.mode === 'sync' ? 'sync_task_assignment' : 'async_task_assignment',
      state: 'execution',
      mode: step.mode,
      taskId: task_id,
      taskDesc: input.task_desc || step.title,
      to: [step.senderId],
      parts: [{ data: { kind: 'task', task_id, step: step.step, skill_id: step.skillId, inputs: input.inputs as never } }],
    },
  })
}

/** The step, if it may be assigned now: its charter is recorded, its dependencies are done, and its input files exist. */
async function assignableStep(tx: Context, team: Team, steps: readonly StepView[], input: AssignTask): Promise<StepView> {
  if (team.state === 'disbanded') throw taskWrongState(input.task_id, 'of a goal that has failed', 'task.assign')
  const step = steps.find((one) => one.step === input.step)
  // A recorded step may be assigned while the charter of a sub-team is being recorded.
  if (team.state !== 'sealed' || step?.recorded === false) throw taskBlocked(input.step, [])
  if (!step) throw taskWrongState(input.task_id, `for step ${input.step}, which is not in the charter`, 'task.assign')
  if (step.canceled) throw taskWrongState(input.task_id, 'for a canceled step', 'task.assign')
  if (step.state !== 'planned') throw taskWrongState(input.task_id, `for a step that is ${step.state}`, 'task.assign')
  const waitsFor = step.dependsOn.filter((needed) => steps.find((one) => one.step === needed)?.state !== 'done')
  if (waitsFor.length > 0) throw taskBlocked(step.step, waitsFor)
  await requireUnchangeableStepPay(tx, { goalId: input.goal_id, steps: [step] })
  for (const { artifact } of input.inputs) {
    if (
      artifact &&
      !(await tx.db.artifact.findFirst({ where: { goalId: input.goal_id, sha256: artifact.sha256 }, select: { sha256: true } }))
    )
      throw artifactNotFound(artifact.sha256)
  }
  return step
}
