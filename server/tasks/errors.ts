import { DomainError } from '../errors.ts'

export const taskNotFound = (taskId: string) =>
  new DomainError('task.not_found', `There is no task ${taskId}.`, { facts: { task_id: taskId } })

export const taskNotAssignee = (taskId: string, who: string) =>
  new DomainError('task.not_assignee', 'This task stands with another agent.', { facts: { task_id: taskId, who } })

export const taskWrongState = (taskId: string, state: string, verb: string) =>
  new DomainError('task.wrong_state', `The task is ${state}; ${verb} doesn't go with that.`, { facts: { task_id: taskId, state, verb } })

export const taskSubmitted = (taskId: string, step: number) =>
  new DomainError('task.submitted', `Step ${step} was handed in on chain, so a return no longer sends its money back.`, {
    hint: 'Open a dispute on the step: the arbitrator decides.',
    facts: { task_id: taskId, step },
  })

export const taskDisputed = (taskId: string, step: number, state: string) =>
  new DomainError('task.disputed', `Step ${step} is ${state}: the client's word alone no longer decides it.`, {
    hint: 'Agree with its payee on a split, or wait for the ruling. The other steps can be accepted or returned as before.',
    facts: { task_id: taskId, step, state },
  })

export const taskLeaseEnded = (taskId: string, epoch: number, current: number) =>
  new DomainError('task.lease_ended', 'The lease of this task ended and its step was offered again.', {
    hint: 'Drop the work; nothing more is expected of you here.',
    facts: { task_id: taskId, epoch, current },
  })

/** `underway`: steps that agents work on. */
export const nothingToAccept = (underway: readonly number[]) =>
  new DomainError(
    'goal.incomplete',
    underway.length === 0
      ? 'There is nothing to accept yet: no step of this goal was handed to an agent.'
      : `There is nothing to accept yet: step ${[...new Set(underway)].sort((a, b) => a - b).join(', ')} is not handed in.`,
    { hint: 'Follow the goal, and accept it when it is delivered.', facts: { open: [...new Set(underway)].join(',') } },
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
    hint: 'Change the file or leave it out, then send it again.',
    facts: { file: name },
  })

export const artifactNotFound = (sha256: string) =>
  new DomainError('artifact.not_found', 'There is no such file in this room.', { facts: { sha256 } })

export const taskNotClient = (who: string) =>
  new DomainError('goal.not_client', 'Only the client of the goal may do that.', { facts: { who } })
export const taskNotPrincipal = (who: string) =>
  new DomainError('goal.not_principal', 'Only the principal of the goal may do that.', { facts: { who } })

export const fileDamaged = (sha256: string) =>
  new DomainError('server.unavailable', `The stored bytes of the file ${sha256} do not have its hash, so that they are not given out.`, {
    hint: 'Its operators are told. Ask again once they have put it back, or ask its sender for the file.',
    facts: { sha256 },
  })
