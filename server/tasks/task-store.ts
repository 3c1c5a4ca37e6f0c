import { type Acceptance, limits, TaskInput } from '@parley/protocol'
import type { Task as TaskRow } from '../../prisma/client/client.ts'
import type { Context } from '../context.ts'
import { jsonBytes, limitPageBytes } from '../db/limit-page-bytes.ts'
import { versionConflict } from '../errors.ts'
import { taskNotFound } from './errors.ts'
import type { Task } from './task.ts'

/** The share of a page that tasks may use, in bytes. */
const shownBytes = limits.pageBytes / 2

function fromRow(row: TaskRow): Task {
  const { state, acceptance, resultText, failure, endedAt, ...rest } = row
  const common = { ...rest, inputs: TaskInput.array().parse(row.inputs) }
  switch (state) {
    case 'completed':
      if (acceptance === null || endedAt === null) throw new Error(`task ${row.id} is completed without acceptance or time`)
      return { ...common, state, acceptance, resultText: resultText ?? '', endedAt, returnReason: failure }
    case 'failed':
    case 'canceled':
    case 'rejected':
      if (endedAt === null) throw new Error(`task ${row.id} has ended without a time`)
      return { ...common, state, failure: failure ?? '', endedAt }
    default:
      return { ...common, state }
  }
}

/** @throws task.not_found */
export async function getTask(ctx: Context, taskId: string): Promise<Task> {
  const row = await ctx.db.task.findUnique({ where: { id: taskId } })
  if (!row) throw taskNotFound(taskId)
  return fromRow(row)
}

export async function findTask(ctx: Context, taskId: string): Promise<Task | null> {
  const row = await ctx.db.task.findUnique({ where: { id: taskId } })
  return row && fromRow(row)
}

/**
 * The task, with its row locked until the transaction ends.
 * @throws task.not_found
 */
export async function lockTask(tx: Context, taskId: string): Promise<Task> {
  await tx.db.$queryRaw`select 1 from "task" where "id" = ${taskId} for update`
  return getTask(tx, taskId)
}

export async function listTasks(ctx: Context, goalId: string): Promise<Task[]> {
  const rows = await ctx.db.task.findMany({ where: { goalId }, orderBy: [{ assignedAt: 'asc' }, { step: 'asc' }] })
  return rows.map(fromRow)
}

/** A task for a page: its state, without inputs and outputs. */
export type ShownTask = Pick<Task, 'id' | 'roomId' | 'step' | 'epoch' | 'agentId' | 'state' | 'done'> & {
  /** Null before completion. */
  readonly acceptance: Acceptance | null
  /** Why it ended without a result; null otherwise. */
  readonly failure: string | null
}

/** The maximum number of tasks per answer. A charter has at most 64 steps, and few are assigned often. */
const maxShown = 500

/** The newest tasks of a goal, oldest first. `isWhole`: the list is complete. */
export async function listShownTasks(ctx: Context, goalId: string): Promise<{ tasks: ShownTask[]; isWhole: boolean }> {
  const rows = await ctx.db.task.findMany({
    where: { goalId },
    orderBy: [{ assignedAt: 'desc' }, { step: 'desc' }],
    take: maxShown + 1,
    select: { id: true, roomId: true, step: true, epoch: true, agentId: true, state: true, done: true, acceptance: true, failure: true },
  })
  const tasks = limitPageBytes(
    rows.slice(0, maxShown).map((row) => ({ ...row, failure: row.state === 'completed' ? null : row.failure })),
    jsonBytes,
    shownBytes,
  )
  return { tasks: tasks.toReversed(), isWhole: tasks.length === rows.length }
}

/**
 * Saves the fields that `advanceTask` may change.
 * @throws version.conflict
 */
export async function saveTask(tx: Context, task: Task): Promise<void> {
  const saved = await tx.db.task.updateMany({
    where: { id: task.id, version: task.version },
    data: {
      state: task.state,
      leaseUntil: task.leaseUntil,
      done: task.done,
      acceptance: task.state === 'completed' ? task.acceptance : null,
      resultText: task.state === 'completed' ? task.resultText : null,
      failure: task.state === 'completed' ? task.returnReason : 'failure' in task ? task.failure : null,
      endedAt: 'endedAt' in task ? task.endedAt : null,
      version: task.version + 1,
    },
  })
  if (saved.count === 0) throw versionConflict('The task')
}
