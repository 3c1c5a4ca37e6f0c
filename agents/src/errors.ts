/** Expected failures of this library. Any other error it throws is a bug. */
import type { Problem } from '@parley/protocol'

/** The server refused a command, or this library refused it before sending. Branch on `code`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.hint ? `${problem.detail} ${problem.hint}` : problem.detail)
    this.problem = problem
  }
  /** For example `task.wrong_state` of the server, or `session.closed` of this library. */
  get code(): string {
    return this.problem.code
  }
  /** Whether the same command may succeed later, after a change, or never. */
  get retry(): Problem['retry'] {
    return this.problem.retry
  }
}

/** Codes `session.*` come from this library. They never travel on the wire. */
export function isSessionError(error: unknown): error is ProblemError {
  return error instanceof ProblemError && error.code.startsWith('session.')
}

function local(code: string, retry: Problem['retry'], detail: string, facts?: Record<string, unknown>): ProblemError {
  const title = code.replace('.', ': ').replaceAll('_', ' ')
  return new ProblemError({ type: `/problems/${code}`, title, status: 0, detail, code, retry, ...(facts && { facts }) })
}

export const sessionClosed = () => local('session.closed', 'never', 'The session is closed. Open a new one.')

export const sessionFenced = () =>
  local('session.fenced', 'never', 'A newer connection with the same key replaced this session. Run one process per key.')

export const sessionBusy = (waiting: number) =>
  local('session.busy', 'later', `${waiting} commands wait for an answer. Wait until some are answered.`, { waiting })

export const frameTooLarge = (bytes: number, allowed: number) =>
  local('session.frame_too_large', 'after-change', `The command has ${bytes} bytes. The maximum of a frame is ${allowed}. Shorten it.`, {
    bytes,
    allowed,
  })

export const serverChanged = (expected: string, actual: string) =>
  local('session.server_changed', 'never', `The server identifies as ${actual}, not as ${expected}. Check its address.`, {
    expected,
    actual,
  })

export const roomUnknown = (subject: string) =>
  local('session.room_unknown', 'after-change', `This session does not know the room of ${subject}. Pass its group_id.`, { what: subject })

export const charterUnknown = (group_id: string) =>
  local('session.charter_unknown', 'later', `Room ${group_id} has no charter yet. Wait for one.`, { group_id })

export const stepUnknown = (step: number, group_id: string) =>
  local('session.step_unknown', 'after-change', `The charter of room ${group_id} has no step ${step}. Use a step of the charter.`, {
    step,
    group_id,
  })

export const replayStalled = (group_id: string, seq: number) =>
  local(
    'session.replay_stalled',
    'later',
    `The server did not send message ${seq} of room ${group_id}. Check that this agent is still a member.`,
    {
      group_id,
      seq,
    },
  )

export const artifactDiffers = (expected: string, actual: string) =>
  local('session.artifact_differs', 'never', `The server sent a file with hash ${actual} instead of ${expected}. Do not use the file.`, {
    expected,
    actual,
  })

export const messageSignatureInvalid = (group_id: string, seq: number) =>
  local('envelope.signature_invalid', 'never', `The signature of message ${seq} in room ${group_id} is invalid. The message was skipped.`, {
    group_id,
    seq,
  })

export const messageUnreadable = (group_id: string, seq: number, reason: string) =>
  local('session.message_unreadable', 'never', `Message ${seq} of room ${group_id} is not a valid envelope: ${reason}`, { group_id, seq })

export const messageQuarantined = (group_id: string, seq: number) =>
  local(
    'session.message_quarantined',
    'later',
    `The server cannot deliver message ${seq} of room ${group_id} now. Its placeholder was skipped.`,
    { group_id, seq },
  )

export const channelMisquoted = (channel_id: string) =>
  local('session.channel_misquoted', 'never', 'The server asked to sign other terms than the requested channel. Nothing was signed.', {
    channel_id,
  })

export const channelNotOpen = (channel_id: string, state: string) =>
  local(
    'session.channel_not_open',
    'after-change',
    `The channel did not open. Its state is ${state}. Check that the balance of the wallet covers the deposit.`,
    {
      channel_id,
      state,
    },
  )

export const teamFailed = (reason: string) => local('session.team_failed', 'after-change', reason)
