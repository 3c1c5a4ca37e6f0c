import { DomainError } from '../errors.ts'

export const taskNotFound = (taskId: string) =>
  new DomainError('task.not_found', `There is no task ${taskId}.`, { facts: { task_id: taskId } })

export const taskNotAssignee = (taskId: string, who: string) =>
  new DomainError('task.not_assignee', 'This task is assigned to another agent.', {
    hint: 'Stop the work on it.',
    facts: { task_id: taskId, who },
  })

export const taskWrongState = (taskId: string, state: string, verb: string) =>
  new DomainError('task.wrong_state', `The task is ${state}, so ${verb} is not possible.`, { facts: { task_id: taskId, state, verb } })

export const taskSubmitted = (taskId: string, step: number) =>
  new DomainError('task.submitted', `Step ${step} was submitted on chain, so a return no longer refunds it.`, {
    hint: 'Open a dispute on the step. The arbitrator decides.',
    facts: { task_id: taskId, step },
  })

export const taskDisputed = (taskId: string, step: number, state: string) =>
  new DomainError('task.disputed', `Step ${step} is ${state}, so the client alone can no longer decide it.`, {
    hint: 'Agree with its payee on a split, or wait for the ruling. You can accept or return the other steps.',
    facts: { task_id: taskId, step, state },
  })

export const taskLeaseEnded = (taskId: string, epoch: number, current: number) =>
  new DomainError('task.lease_expired', 'The lease of this task ended and its step was offered again.', {
    hint: 'Stop the work. No result is expected.',
    facts: { task_id: taskId, epoch, current },
  })

/** `underway`: steps that agents work on. */
export const nothingToAccept = (underway: readonly number[]) =>
  new DomainError(
    'goal.incomplete',
    underway.length === 0
      ? 'There is nothing to accept yet. No step of this goal was assigned.'
      : `There is nothing to accept yet. Step ${[...new Set(underway)].sort((a, b) => a - b).join(', ')} is not completed.`,
    { hint: 'Wait until the goal is delivered, then accept it.', facts: { open: [...new Set(underway)].join(',') } },
  )

export const taskBlocked = (step: number, waitsFor: readonly number[]) =>
  new DomainError(
    'task.blocked',
    `Step ${step} waits for ${waitsFor.length === 0 ? 'the charter to be recorded' : `step ${waitsFor.join(', ')}`}.`,
    { facts: { step, waits_for: waitsFor.join(',') } },
  )

export const taskArtifactInvalid = (detail: string) =>
  new DomainError('task.artifact_invalid', detail, { hint: 'Send the artifacts that the charter names for this step.' })

/** `name`: the display form of the file name. */
export const fileRefused = (name: string, reason: string) =>
  new DomainError('task.artifact_invalid', `${name}: ${reason}`, {
    hint: 'Change the file or omit it, then send the request again.',
    facts: { file: name },
  })

export const artifactNotFound = (sha256: string) =>
  new DomainError('artifact.not_found', 'This room has no file with this hash.', { facts: { sha256 } })

export const taskNotClient = (who: string) =>
  new DomainError('goal.not_client', 'Only the client of the goal can do this.', { facts: { who } })
export const taskNotPrincipal = (who: string) =>
  new DomainError('goal.not_principal', 'Only the principal of the goal can do this.', { facts: { who } })

export const fileDamaged = (sha256: string) =>
  new DomainError('server.unavailable', `The stored bytes of the file ${sha256} do not match its hash, so the server does not send them.`, {
    hint: 'Ask the sender for the file, or repeat the request after an operator has restored it.',
    facts: { sha256 },
  })
